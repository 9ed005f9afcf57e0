import { type Counter, type Histogram, Metrics } from '@skein/platform';

/** How a message of a work queue ended: done with, to be delivered again, or given up. */
export type MessageEnd = 'done' | 'again' | 'dead';

/** What every connection counts. */
export class MessagingMetrics {
  readonly reconnects: Counter;
  readonly messages: Counter;
  readonly messageSeconds: Histogram;
  readonly deadLetters: Counter;
  readonly leftOut: Counter;
  readonly requestSeconds: Histogram;
  readonly permissionViolations: Counter;

  /** Into figures of its own, which nobody reads, unless it is given some. */
  constructor(metrics = new Metrics()) {
    this.reconnects = metrics.counter('skein_nats_reconnects_total', 'Connections to NATS that came back.');
    this.messages = metrics.counter(
      'skein_messages_total',
      'Messages of work queues, by stream and by outcome: done, again, dead.',
      ['stream', 'outcome'],
    );
    this.messageSeconds = metrics.histogram(
      'skein_message_duration_seconds',
      'How long a message of a work queue was worked on, until it was settled.',
      ['stream'],
    );
    this.deadLetters = metrics.counter(
      'skein_dead_letters_total',
      'Messages given up: refused for good, or failed at their last delivery. By stream and code of the error.',
      ['stream', 'code'],
    );
    this.leftOut = metrics.counter(
      'skein_messages_left_out_total',
      'Broadcast messages that do not fit, or that failed whoever heard them.',
    );
    this.requestSeconds = metrics.histogram(
      'skein_rpc_request_duration_seconds',
      'Requests to other services until their answer, by subject and by outcome: ok, or the kind of the error.',
      ['subject', 'outcome'],
    );
    this.permissionViolations = metrics.counter(
      'skein_nats_permission_violations_total',
      'What the NATS server did not permit: publish or subscription, by the first token of the subject.',
      ['operation', 'tree'],
    );
  }
}
