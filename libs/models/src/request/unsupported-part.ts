import { AdkError, type Part } from '@skein/contracts';

/** A part that the provider's API has no form for; told before anything is sent. */
export function unsupportedPart(provider: string, what: string): AdkError {
  return new AdkError('invalid', 'model.unsupported-part', `${provider} takes no ${what}.`);
}

/** Says in an earlier turn what was there: the session goes on with a provider that has no form for it. */
export function standInFor(what: string): Part {
  return { text: `[There was something here that cannot be shown to you: ${what}.]` };
}
