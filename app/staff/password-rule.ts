/** A one-time code is needed too, so 10 characters are enough. The maximum limits the time that hashing takes. */
export const PASSWORD_MIN = 10;
export const PASSWORD_MAX = 200;
