/** The token shapes that vendors publish and scanners look for. Ours first. */
import { hasRandomRun, isFiller, vendor, type SecretShape } from './secret-shape.ts';

const end = '(?![A-Za-z0-9])';
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

export const vendorSecrets: readonly SecretShape[] = [
  vendor('collab_token', 'collab_token_', 'collab_token_[A-Za-z0-9_-]{20,}'),
  // Code hosts.
  vendor(
    'github_token',
    'gh[pousr]_|github_pat_',
    'gh[pousr]_[A-Za-z0-9]{36,255}|ghs_[0-9]{1,12}_eyJ[A-Za-z0-9_.-]{20,}|github_pat_[A-Za-z0-9_]{22,255}',
  ),
  vendor(
    'gitlab_token',
    'gl[a-z]{2,5}-|GR1348941',
    'gl(?:pat|ptt|rtr|rt|dt|soat|oas|ft|imt|agent|cbt|ffct|wt)-[A-Za-z0-9_.-]{20,}|GR1348941[A-Za-z0-9_-]{20,}',
  ),
  vendor(
    'atlassian_token',
    'AT(?:ATT|CTT|STT)3|ATBB|BBDC-',
    'AT(?:ATT|CTT|STT)3[A-Za-z0-9_=-]{40,}|ATBB[A-Za-z0-9]{32}|BBDC-[A-Za-z0-9+/]{40,}',
  ),
  vendor('azure_devops_token', 'AZDO', `[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}${end}`),
  // Clouds.
  vendor('aws_access_key_id', 'AKIA|ASIA|ABIA|ACCA', `(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}${end}`),
  vendor('aws_bedrock_key', 'ABSK', 'ABSK[A-Za-z0-9+/]{100,}={0,2}'),
  {
    ...vendor(
      'aws_secret_access_key',
      '[Ss][Ee][Cc][Rr][Ee][Tt]_?(?:[Aa][Cc][Cc][Ee][Ss][Ss]_?)?[Kk][Ee][Yy]',
      'x',
    ),
    shape:
      /secret_?(?:access_?)?key["']?[ \t]{0,9}(?:=>|[:=])[ \t]{0,9}["']?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/dgi,
    // A digest of forty hexadecimal digits is not a key of that vendor.
    report: (candidate) => (isFiller(candidate) || /^[a-f0-9]+$/.test(candidate) ? null : 'critical'),
  },
  vendor('google_api_key', 'AIza', 'AIza[A-Za-z0-9_-]{35}'),
  vendor(
    'google_oauth_token',
    'ya29\\.|1//0|GOCSPX-|AQ\\.Ab',
    'ya29\\.[A-Za-z0-9_-]{20,}|1//0[A-Za-z0-9_-]{30,}|GOCSPX-[A-Za-z0-9_-]{28,}|AQ\\.Ab[A-Za-z0-9_-]{30,}',
  ),
  {
    ...vendor('azure_key', '(?:Account|Access)Key=|\\+A(?:St|SB|Eh|CR|MC|Ba)|ACDb|AzFu|AzSe|AzCa|AIoT', 'x'),
    shape:
      /(?:(?:Account|SharedAccess|Access)Key=(?<secret>[A-Za-z0-9+/]{43,86}={1,2}))|(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{33,76}(?:\+A(?:St|SB|Eh|CR|MC|Ba)|ACDb|AzFu|AzSe|AzCa|AIoT)[A-Za-z0-9+/]{4,10}={1,2}/dgi,
  },
  {
    ...vendor('azure_sas_signature', '[?&]sig=', 'x'),
    shape: /[?&]sig=(?<secret>[A-Za-z0-9%+/]{40,70}(?:%3D|=)?)/dgi,
  },
  vendor('azure_client_secret', 'Q~', `[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}`),
  vendor('alibaba_key', 'LTAI', `LTAI[A-Za-z0-9]{16,24}${end}`),
  vendor('tencent_key', 'AKID', `AKID[A-Za-z0-9]{32}${end}`),
  vendor(
    'yandex_key',
    'AQVN|\\bt1\\.',
    'AQVN[A-Za-z0-9_-]{35,38}|t1\\.[A-Z0-9a-z_-]{20,}\\.[A-Za-z0-9_-]{86}',
  ),
  vendor('digitalocean_token', 'do[opr]_v1_', 'do[opr]_v1_[a-f0-9]{64}'),
  vendor('heroku_key', 'HRKU-', 'HRKU-[A-Za-z0-9_-]{36,}'),
  vendor('fly_token', 'fo1_|fm[12]', 'fo1_[A-Za-z0-9_-]{43}|fm(?:1[ar]|2)_[A-Za-z0-9+/=]{60,}'),
  vendor(
    'cloudflare_token',
    'v1\\.0-|cf[a-z]{1,3}_',
    'v1\\.0-[a-f0-9]{24}-[a-f0-9]{146}|cf(?:ut|at|k)_[A-Za-z0-9]{40,}',
  ),
  vendor(
    'vercel_token',
    'vc[a-z]_|vercel_blob_rw_',
    'vc[apikr]_[A-Za-z0-9]{24,}|vercel_blob_rw_[A-Za-z0-9_]{24,}',
  ),
  vendor('netlify_token', 'nf[a-z]_', 'nf[bcopu]_[A-Za-z0-9]{36}'),
  vendor('render_key', 'rnd_', `rnd_[A-Za-z0-9]{28,}`),
  vendor('scalingo_token', 'tk-us-', 'tk-us-[A-Za-z0-9_-]{48}'),
  vendor('openshift_token', 'sha256~', 'sha256~[A-Za-z0-9_-]{43}'),
  // Model vendors.
  { ...vendor('sk_key', 'sk-', 'sk-[A-Za-z0-9_-]{20,}'), isSecret: isModelKey },
  vendor('groq_key', 'gsk_', 'gsk_[A-Za-z0-9]{40,}'),
  vendor('xai_key', 'xai-', 'xai-[A-Za-z0-9_-]{60,}'),
  vendor('perplexity_key', 'pplx-', 'pplx-[A-Za-z0-9]{40,}'),
  vendor('replicate_token', 'r8_', `r8_[A-Za-z0-9]{37}${end}`),
  vendor('hugging_face_token', 'hf_|api_org_', 'hf_[A-Za-z0-9]{34,}|api_org_[A-Za-z0-9]{34}'),
  vendor('together_key', 'tgp_v1_', 'tgp_v1_[A-Za-z0-9_-]{40,}'),
  vendor('fireworks_key', 'fw_', `fw_[A-Za-z0-9]{22,24}${end}`),
  vendor('cerebras_key', 'csk-', 'csk-[a-z0-9]{40,}'),
  vendor('nvidia_key', 'nvapi-', 'nvapi-[A-Za-z0-9_-]{60,}'),
  vendor('langsmith_key', 'lsv2_', 'lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}'),
  vendor('tavily_key', 'tvly-', 'tvly-(?:dev-|prod-)?[A-Za-z0-9]{32}'),
  vendor('firecrawl_key', 'fc-', `fc-[a-f0-9]{32}${end}`),
  vendor('elevenlabs_key', 'sk_', `sk_[a-f0-9]{48}${end}`),
  vendor('pinecone_key', 'pcsk_', 'pcsk_[A-Za-z0-9_]{50,}'),
  vendor('jina_key', 'jina_', 'jina_[a-f0-9]{32}[A-Za-z0-9_-]{20,}'),
  // Messages.
  {
    ...vendor(
      'slack_token',
      'xox[a-z]|xapp-|xwfp-',
      '(?:xox[a-z](?:\\.xox[a-z])?|xapp|xwfp)-[A-Za-z0-9-]{10,}',
    ),
    isSecret: (candidate) => /\d/.test(candidate),
  },
  vendor(
    'slack_webhook',
    'slack\\.com/',
    'https?://hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9]+/[A-Za-z0-9/]{16,}',
  ),
  vendor(
    'discord_token',
    'mfa\\.|\\.[A-Za-z0-9_-]{6}\\.',
    '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}|mfa\\.[A-Za-z0-9_-]{80,}',
  ),
  vendor(
    'discord_webhook',
    'discord',
    'https?://(?:[a-z]+\\.)?discord(?:app)?\\.com/api/(?:v[0-9]+/)?webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,}',
  ),
  vendor(
    'webhook_address',
    'webhook\\.office\\.com|hooks\\.zapier\\.com|logic\\.azure\\.com',
    'https?://[a-z0-9-]{1,60}\\.webhook\\.office\\.com/webhookb2/[A-Za-z0-9@/-]{60,}|https?://hooks\\.zapier\\.com/hooks/catch/[0-9]+/[A-Za-z0-9]+',
  ),
  vendor('telegram_token', ':A[A-Za-z0-9_-]{34}', `[0-9]{8,10}:A[A-Za-z0-9_-]{34}(?![A-Za-z0-9_-])`),
  vendor('twilio_key', 'SK[0-9a-f]{32}', `SK[0-9a-f]{32}${end}`),
  vendor('sendgrid_key', 'SG\\.', 'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,128}'),
  vendor(
    'mailgun_key',
    'key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}',
    `key-[0-9a-f]{32}${end}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![A-Za-z0-9-])`,
  ),
  vendor('mailchimp_key', '[0-9a-f]{32}-us', `[0-9a-f]{32}-us[0-9]{1,2}${end}`),
  vendor('brevo_key', 'xkeysib-|xsmtpsib-', 'x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}'),
  vendor('resend_key', 're_', `re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}${end}`),
  vendor('intercom_token', 'dG9rO', 'dG9rO[A-Za-z0-9+/]{50,}={0,2}'),
  vendor('hubspot_token', 'pat-(?:na|eu|ap)', `pat-(?:na|eu|ap)[0-9]-${uuid}`),
  vendor('typeform_token', 'tfp_', 'tfp_[A-Za-z0-9_.=-]{40,}'),
  // Money.
  vendor(
    'stripe_key',
    '[sr]k_(?:live|test|prod)_|whsec_',
    '(?:(?:sk|rk)_(?:live|test|prod)|whsec)_[A-Za-z0-9]{16,}',
  ),
  vendor('shopify_token', 'shp[a-z]{2,3}_', 'shp(?:at|ca|pa|ss|tka)_[A-Fa-f0-9]{32}'),
  vendor('square_token', 'sq0|EAAA', 'sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,43}|EAAA[A-Za-z0-9_-]{60}'),
  vendor('facebook_token', 'EAA', `EAA[A-Za-z0-9]{90,}`),
  vendor(
    'braintree_token',
    'access_token\\$',
    'access_token\\$(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}',
  ),
  vendor('razorpay_key', 'rzp_', 'rzp_(?:live|test)_[A-Za-z0-9]{14,}'),
  vendor('plaid_token', 'access-(?:sandbox|dev|prod)', `access-(?:sandbox|development|production)-${uuid}`),
  vendor('flutterwave_key', 'FLWSECK', 'FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,}-X'),
  vendor('shippo_token', 'shippo_', 'shippo_(?:live|test)_[a-f0-9]{40}'),
  vendor('easypost_key', 'EZ[AT]K', `EZ[AT]K[A-Za-z0-9]{54}${end}`),
  vendor('duffel_token', 'duffel_', 'duffel_(?:live|test)_[A-Za-z0-9_-]{43}'),
  // Package registries.
  vendor('npm_token', 'npm_', 'npm_[A-Za-z0-9]{36}'),
  vendor('pypi_token', 'pypi-', 'pypi-[A-Za-z0-9_-]{50,}'),
  vendor('docker_hub_token', 'dckr_', 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{24,}'),
  vendor('rubygems_key', 'rubygems_', 'rubygems_[a-f0-9]{48}'),
  vendor('crates_token', 'cio', `cio[A-Za-z0-9]{32}${end}`),
  vendor('nuget_key', 'oy2', `oy2[a-z0-9]{43}${end}`),
  vendor('clojars_token', 'CLOJARS_', 'CLOJARS_[a-z0-9]{60}'),
  vendor('packagist_token', 'packagist_', 'packagist_[a-z]{3,4}_[a-f0-9]{40,}'),
  vendor('artifactory_key', 'AKCp|cmVmd', `AKCp[A-Za-z0-9]{60,}|cmVmd[A-Za-z0-9]{59}${end}`),
  vendor('deno_token', 'dd[pw]_', 'dd[pw]_[A-Za-z0-9]{36}'),
  // Stores of secrets.
  vendor('vault_token', 'hv[sbr]\\.', 'hv[sbr]\\.[A-Za-z0-9_-]{24,}'),
  vendor('age_key', 'AGE-', 'AGE-(?:SECRET-KEY|PLUGIN-[A-Z0-9-]{1,40})-1[0-9A-Z]{38,}'),
  vendor('terraform_token', '\\.atlasv1\\.', '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,}'),
  vendor('pulumi_token', 'pul-', 'pul-[a-f0-9]{40}'),
  vendor(
    'doppler_token',
    'dp\\.',
    'dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}',
  ),
  vendor('one_password_token', 'ops_eyJ', 'ops_eyJ[A-Za-z0-9+/=_-]{40,}'),
  vendor('tailscale_key', 'tskey-', 'tskey-[a-z]{3,8}-[A-Za-z0-9]{8,}(?:-[A-Za-z0-9]{16,})?'),
  // Other services.
  vendor('databricks_token', 'dapi|dose', `(?:dapi|dose)[a-f0-9]{32}(?:-[0-9])?${end}`),
  vendor(
    'grafana_token',
    'gl(?:c|sa)_|eyJrIjoi',
    'glc_[A-Za-z0-9+/]{32,}={0,2}|glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|eyJrIjoi[A-Za-z0-9]{60,}={0,2}',
  ),
  vendor('planetscale_token', 'pscale_', 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}'),
  vendor(
    'new_relic_key',
    'NR[A-Z]{2}-|NRAL',
    `NRAK-[A-Z0-9]{27}|NRJS-[a-f0-9]{19}|NR(?:II|IQ)-[A-Za-z0-9_-]{32}|NRAA-[a-f0-9]{27}|[a-z0-9]{32,36}NRAL${end}`,
  ),
  vendor('supabase_key', 'sbp_|sb_secret_', 'sbp_(?:v0_)?[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,}'),
  vendor(
    'notion_token',
    'secret_|ntn_',
    `secret_[A-Za-z0-9]{43}${end}|ntn_[0-9]{8,12}[A-Za-z0-9]{32,36}${end}`,
  ),
  vendor('linear_key', 'lin_', 'lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,}'),
  vendor('figma_token', 'fig[a-z]{1,2}_', 'fig(?:d|o|r|u|oh|or|ou)_[A-Za-z0-9_-]{36,}'),
  vendor('postman_key', 'PMAK-', 'PMAK-[a-f0-9]{24}-[a-f0-9]{34}'),
  vendor('sentry_token', 'sntry[a-z]_', 'sntrys_eyJ[A-Za-z0-9+/=_-]{60,}|sntry[a-z]_[a-f0-9]{64}'),
  vendor('airtable_token', 'pat[A-Za-z0-9]{14}\\.', 'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}'),
  vendor(
    'asana_token',
    '[12]/[0-9]{15}',
    '1/[0-9]{15,17}:[a-f0-9]{32}|2/[0-9]{15,17}/[0-9]{15,17}:[a-f0-9]{32}',
  ),
  vendor('contentful_token', 'CFPAT-', 'CFPAT-[A-Za-z0-9_-]{43}'),
  vendor('dropbox_token', 'sl\\.', 'sl\\.(?:u\\.)?[A-Za-z0-9_-]{130,}'),
  vendor('dynatrace_token', 'dt0[a-z]', 'dt0[a-z][0-9]{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}'),
  vendor('sonar_token', 'sq[uap]_', `sq[uap]_[a-f0-9]{40}${end}`),
  vendor('sourcegraph_token', 'sgp_', 'sgp_(?:(?:[a-f0-9]{16}|local)_)?[a-f0-9]{40}'),
  vendor('prefect_key', 'pn[ub]_', `pn[ub]_[A-Za-z0-9]{36}${end}`),
  vendor('readme_key', 'rdme_', 'rdme_[a-z0-9]{70}'),
  vendor('frame_io_token', 'fio-u-', 'fio-u-[A-Za-z0-9_=-]{60,}'),
  vendor('adafruit_key', 'aio_', `aio_[A-Za-z0-9]{28}${end}`),
  vendor('octopus_key', 'API-', `API-[A-Z0-9]{26,36}${end}`),
  vendor('buildkite_token', 'bk[a-z]{2}_', 'bk(?:ua|pt|ct|at)_[a-z0-9]{40}'),
  vendor('circleci_token', 'CCIPAT_|CCIPRJ_', 'CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}'),
  vendor('neon_key', 'napi_', 'napi_[a-z0-9]{50,}'),
  vendor('mongodb_secret', 'mdb_sa_sk_', 'mdb_sa_sk_[A-Za-z0-9_-]{30,}'),
  vendor('posthog_key', 'ph[xr]_', `ph[xr]_[A-Za-z0-9]{40,}${end}`),
  vendor('launchdarkly_key', 'sdk-|api-', `(?:sdk|api)-${uuid}`),
  vendor('mapbox_token', 'sk\\.eyJ', 'sk\\.eyJ[A-Za-z0-9_-]{40,}\\.[A-Za-z0-9_-]{20,}'),
  vendor('zoho_token', '1000\\.', '1000\\.[a-f0-9]{32}\\.[a-f0-9]{32}'),
];

function isModelKey(candidate: string): boolean {
  return hasRandomRun(candidate) || new RegExp(`^sk-[a-z]{2}-${uuid}$`).test(candidate);
}
