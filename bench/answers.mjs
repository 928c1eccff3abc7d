// Answers of the scripted model.

/** One request: `--effort standard` verifies findings that are graver than Minor. */
export const minorFinding = `[RESPONSE:REVIEW]

## STRENGTHS
- Small functions with one purpose each.

## ISSUES
### Minor
1. **The order total is rounded after tax** — \`src/orders/report-1.ts:3\`
   \`\`\`
     return Math.round(subtotal * (1 + taxRate) * 100) / 100;
   \`\`\`
   Why: totals of orders differ by cents.
   Fix: round once, on the invoice.

## SUGGESTIONS
None
`;
