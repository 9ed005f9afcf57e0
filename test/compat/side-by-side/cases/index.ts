import { type CompatCase } from '../case';
import { agentCases } from './agents.cases';
import { basicCases } from './basic.cases';
import { hookCases } from './hooks.cases';
import { toolCases } from './tools.cases';

export const cases: readonly CompatCase[] = [...basicCases, ...toolCases, ...agentCases, ...hookCases];
