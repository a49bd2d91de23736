/** How long passwords are; the page knows it too. */
export const LEAST_PASSWORD_CHARACTERS = 12;
/** Longer ones would only cost time before anybody has signed in. */
export const MOST_PASSWORD_CHARACTERS = 256;
