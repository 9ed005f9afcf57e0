import { parseInvocationsArguments, usage } from './arguments';
import { describeAnswer } from './describe';
import { runCommand } from './run-command';

runCommand({ parse: parseInvocationsArguments, describe: describeAnswer, usage });
