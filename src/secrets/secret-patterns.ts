/**
 * What secrets look like, high confidence only: a shape of a known vendor, or a place where only a secret stands. They hold
 * every kind that the recommended rules of secretlint know, so that text can be masked line by line while it streams.
 * All match within one line, and every repetition is bounded or cannot overlap, so that no text makes them slow.
 */
export interface SecretPattern {
  readonly rule: string;
  /** Global. A group named `secret` is the secret; without one the whole match is. */
  readonly shape: RegExp;
  /** A second look, where a shape alone would catch ordinary words. */
  readonly isSecret?: (candidate: string) => boolean;
}

export const secretPatterns: readonly SecretPattern[] = [
  { rule: 'aws_access_key_id', shape: /(?<![A-Z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Z0-9])/g },
  {
    rule: 'aws_secret_access_key',
    shape:
      /secret_?(?:access_?)?key["']?[ \t]{0,9}(?:=>|[:=])[ \t]{0,9}["']?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
  },
  {
    rule: 'github_token',
    shape: /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})/g,
  },
  { rule: 'gitlab_token', shape: /(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{20,}/g },
  { rule: 'slack_token', shape: /(?<![A-Za-z0-9])(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,}/g, isSecret: hasDigit },
  {
    rule: 'slack_webhook',
    shape: /https?:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9]+\/[A-Za-z0-9/]{16,}/g,
  },
  { rule: 'sk_key', shape: /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{20,}/g, isSecret: hasRandomRun },
  {
    rule: 'stripe_key',
    shape: /(?<![A-Za-z0-9])(?:(?:sk|rk)_(?:live|test)|whsec)_[A-Za-z0-9]{16,}/g,
  },
  { rule: 'google_api_key', shape: /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}/g },
  { rule: 'npm_token', shape: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}/g },
  {
    rule: 'npmrc_auth',
    shape: /:_(?:authToken|auth|password)[ \t]{0,9}=[ \t]{0,9}["']?(?<secret>[^\s"'$*]{8,})/g,
  },
  { rule: 'sendgrid_key', shape: /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}/g },
  { rule: 'shopify_token', shape: /(?<![A-Za-z0-9])shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}/g },
  { rule: 'linear_key', shape: /(?<![A-Za-z0-9])lin_(?:api|oauth)_[A-Za-z0-9]{32,}/g },
  { rule: 'one_password_token', shape: /(?<![A-Za-z0-9])ops_eyJ[A-Za-z0-9+/=_-]{40,}/g },
  { rule: 'hugging_face_token', shape: /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{34,}/g },
  {
    rule: 'json_web_token',
    shape: /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  },
  {
    rule: 'bearer_token',
    shape: /\bbearer[ \t]{1,9}(?<secret>[A-Za-z0-9_.~+/-]{20,}=*)/gi,
    isSecret: hasRandomRun,
  },
  {
    rule: 'basic_auth_header',
    shape:
      /\bauthorization["']?[ \t]{0,9}[:=,][ \t]{0,9}["'`]?basic[ \t]{1,9}(?<secret>[A-Za-z0-9+/]{12,}={0,2})/gi,
  },
  {
    rule: 'url_password',
    shape: /:\/\/[^\s:/?#@"'`<>]{0,256}:(?<secret>[^\s/?#@"'`<>]{3,256})@(?=[A-Za-z0-9[])/g,
    // `${PASSWORD}`, `%s`, `{{ password }}` and `xxx` stand for a password.
    isSecret: (candidate) => !/^(?:[$%{]|x{3,}$|\.{3}$)/i.test(candidate),
  },
];

/** One cheap look, before anything else: a text without any of these words holds none of the above. */
export const secretHint =
  /PRIVATE KEY|(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]|gh[pousr]_|github_pat_|glpat-|xox[a-z]-|xapp-|slack\.com\/|sk-|[sr]k_(?:live|test)_|whsec_|AIza|npm_|:_(?:auth|password)|SG\.|shp(?:at|ca|pa|ss)_|lin_(?:api|oauth)_|ops_eyJ|hf_|eyJ|:\/\/[^\s/]{0,300}@|bearer|secret_?(?:access_?)?key|authorization/i;

function hasDigit(candidate: string): boolean {
  return /\d/.test(candidate);
}

/** `sk-fading-circle-12-delay-child` is a class name: words, not sixteen letters and digits in a row. */
function hasRandomRun(candidate: string): boolean {
  const runs = candidate.match(/[A-Za-z0-9]{16,}/g) ?? [];
  return runs.some((run) => /\d/.test(run) && /[A-Za-z]/.test(run));
}
