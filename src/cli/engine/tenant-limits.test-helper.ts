/** A tenant whose limits are all set. */
export const acme = {
  tenant: 'acme',
  share: 2,
  mostQueued: 200,
  usdPerDay: 50,
  usdToday: 1.5,
  queued: 3,
  driven: 1,
};

/** The machine's own tenant, without a budget. */
export const ownTenant = { ...acme, tenant: 'local', share: 1, usdPerDay: Infinity };
