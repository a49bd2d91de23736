/** What every answer tells browsers, whatever it is: run nothing, frame nothing, keep nothing. Knows no request. */

/**
 * No Strict-Transport-Security: it must not be sent without TLS (RFC 6797, section 7.2), which a proxy in front ends and therefore
 * announces.
 */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;
