import { AdkError } from '@skein/contracts';

/** A part that the provider's API has no form for; told before anything is sent. */
export function unsupportedPart(provider: string, what: string): AdkError {
  return new AdkError('invalid', 'model.unsupported-part', `${provider} takes no ${what}.`);
}
