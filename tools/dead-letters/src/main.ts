import { runCommand } from '../../invocations/src/run-command';
import { parseDeadLettersArguments, usage } from './arguments';
import { describeAnswer } from './describe';

runCommand({ parse: parseDeadLettersArguments, describe: describeAnswer, usage });
