/** By which names the overview is asked for: shared with the page. */

export const PERIODS = ['1h', '6h', '24h', '7d', '30d', '90d'] as const;
export type Period = (typeof PERIODS)[number];

/** What a row of a breakdown can be chosen by, as a filter of the same name. */
export const DIMENSIONS = ['project', 'key', 'door', 'language', 'category', 'band'] as const;
export type Dimension = (typeof DIMENSIONS)[number];
