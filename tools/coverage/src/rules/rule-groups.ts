import { agents } from './agents';
import { history } from './history';
import { type Rule, type RuleGroup } from './rule';
import { running } from './running';
import { services } from './services';
import { steps } from './steps';
import { tools } from './tools';

/** All rules, in the order of their numbers. */
export const ruleGroups: readonly RuleGroup[] = [history, steps, tools, agents, running, services];

export const rules: readonly Rule[] = ruleGroups.flatMap((group) => group.rules);
