/** Returns `codex (gpt-5.5)`, or the provider alone if the model is unknown. */
export function agentLabel({
  provider,
  model,
}: {
  readonly provider: string;
  readonly model: string | null;
}): string {
  return model === null ? provider : `${provider} (${model})`;
}
