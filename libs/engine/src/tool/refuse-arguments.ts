import { describeError } from '../error/describe-error';
import { type Parameters } from './function-declaration';

/** Why arguments do not fit a tool's parameters, as a sentence for the model (B32); nothing when they do. */
export function refuseArguments(
  toolName: string,
  parameters: Parameters,
  args: Readonly<Record<string, unknown>>,
): string | undefined {
  const missing = requiredOf(parameters.jsonSchema).filter((name) => args[name] === undefined);
  if (missing.length > 0) return missingArguments(toolName, missing);
  try {
    parameters.parse(args);
    return undefined;
  } catch (error) {
    return invalidArguments(toolName, error);
  }
}

function requiredOf(jsonSchema: Parameters['jsonSchema']): string[] {
  const required = jsonSchema?.required;
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

function missingArguments(tool: string, missing: readonly string[]): string {
  return [
    `Invoking \`${tool}()\` failed as the following mandatory input parameters are not present:`,
    ...missing,
    'You could retry calling this tool, but it is IMPORTANT for you to provide all the mandatory parameters.',
  ].join('\n');
}

function invalidArguments(tool: string, error: unknown): string {
  return `Invoking \`${tool}()\` failed as its arguments do not match its parameters:\n${describeError(error)}`;
}
