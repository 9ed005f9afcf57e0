import { AdkError } from '@skein/contracts';

/** A setting of a model that makes no sense: `has` says what it has to be. */
export function badSetting(model: string, name: string, has: string): AdkError {
  return new AdkError('invalid', 'model.bad-setting', `"${name}" of model "${model}" has to be ${has}.`);
}
