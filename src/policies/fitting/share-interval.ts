/** How far the share of a whole may lie from that of some of it: exact intervals of 95 %. Pure. */

/** Between what is counted and what would be in the long run lie so few of 100 beyond each end. */
const BEYOND = 0.025;

/**
 * The interval of Clopper and Pearson (1934, "The use of confidence or fiducial limits illustrated in the case of the binomial").
 * It also holds where the share was made by choosing a threshold among the values of the same sample: the share beyond the k-th
 * highest of n has the distribution that it is made of, whatever the values are (Wilks 1941, "Determination of sample sizes for
 * setting tolerance limits").
 */
export function shareInterval(count: number, of: number): [number, number] {
  return [
    count === 0 ? 0 : solved((share) => betaShare(share, count, of - count + 1) < BEYOND),
    count === of ? 1 : solved((share) => betaShare(share, count + 1, of - count) < 1 - BEYOND),
  ];
}

/** Of false alarms: with fewer harmless texts they may be twice as many as the wanted share. */
export function harmlessTextsNeeded(wanted: number): number {
  return Math.ceil(8 / wanted);
}

/** Where a condition that holds below ends to hold, from 0 to 1. */
function solved(isBelow: (share: number) => boolean): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The regularised incomplete beta function I_x(a, b): DLMF 8.17. */
export function betaShare(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // DLMF 8.17.4: on the other side the fraction converges slowly.
  if (x > (a + 1) / (a + b + 2)) return 1 - betaShare(1 - x, b, a);
  const front = Math.exp(
    a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b) - Math.log(a),
  );
  return front / continuedFraction(x, a, b);
}

/** DLMF 8.17.22, from the front by Lentz's method (DLMF 3.10). */
function continuedFraction(x: number, a: number, b: number): number {
  const nearlyZero = 1e-300;
  let value = 1;
  let c = 1;
  let d = 0;
  for (let step = 1; step < 100_000; step += 1) {
    const m = Math.floor(step / 2);
    const term =
      step % 2 === 0
        ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
        : (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + term * d || nearlyZero);
    c = 1 + term / c || nearlyZero;
    value *= c * d;
    if (Math.abs(c * d - 1) < 1e-12) break;
  }
  return value;
}

/** For x of at least 1, by Stirling's series (DLMF 5.11.1) from 10 on. */
function logGamma(x: number): number {
  if (x < 10) return logGamma(x + 1) - Math.log(x);
  const series = 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5) - 1 / (1680 * x ** 7);
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series;
}
