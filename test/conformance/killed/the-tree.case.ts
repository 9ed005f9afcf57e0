import { type ConformanceCase } from '../case';
import { theTree } from '../the-tree';

/**
 * Not among the cases that are compared over services: an agent behind those that run side by side is asked with what
 * they said in the order of the log, which nobody promises.
 */
export const theTreeCase: ConformanceCase = {
  name: 'everything_at_once',
  says: 'goes on with a whole tree behind a call that was allowed (B33, B36, B41, B42, B43, B54, B56)',
  unordered: true,
  source: theTree(),
  steps: [{ say: 'go' }, { answer: { call: 'adk_request_confirmation', response: { confirmed: true } } }],
  expect: {
    turns: [
      [
        'flow: [stands at {"currentSubAgent":"writer"}]',
        'writer: expert({"request":"a title"})',
        'writer: expert -> {"result":"Ada"} [state {"looked":1}]',
        'writer: publish({})',
        'writer: adk_request_confirmation({"toolConfirmation":{"hint":"Please approve or reject the tool call publish() by responding with a FunctionResponse with an expected ToolConfirmation payload.","confirmed":false},"originalFunctionCall":{"id":"p1","args":{},"name":"publish"}}) [waits]',
        'writer: publish -> {"error":"This tool call requires confirmation, please approve or reject."} [as it is]',
      ],
      [
        'flow: [stands at {"currentSubAgent":"writer"}]',
        'writer: publish -> {"result":"out"} [state {"published":1}]',
        'writer: Published.',
        'writer: [ends]',
        'flow: [stands at {"currentSubAgent":"fan"}]',
        'fan: [ends]',
        'flow: [stands at {"currentSubAgent":"loop"}]',
        'loop: [stands at {"timesLooped":0,"currentSubAgent":"c"}]',
        'c: Once more.',
        'c: [ends]',
        'loop: [stands at {"timesLooped":1,"currentSubAgent":"c"}]',
        'c: Enough. + exit_loop({})',
        'c: exit_loop -> {"result":null} [escalates] [as it is]',
        'c: [ends]',
        'loop: [ends]',
        'flow: [ends]',
        'a@fan.a: count({"of":"a"})',
        'a@fan.a: count -> {"result":"a"} [state {"a:counted":1}]',
        'a@fan.a: Done by a. [state {"a":"Done by a."}]',
        'a@fan.a: [ends]',
        'b@fan.b: count({"of":"b"})',
        'b@fan.b: count -> {"result":"b"} [state {"b:counted":1}]',
        'b@fan.b: Done by b. [state {"b":"Done by b."}]',
        'b@fan.b: [ends]',
      ],
    ],
  },
};
