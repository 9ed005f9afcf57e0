import { type Counter, type Metrics } from '@skein/platform';

/** What session-svc counts. */
export class ServiceMetrics {
  readonly appendBatches: Counter;
  readonly appendUnits: Counter;
  readonly fencedUnits: Counter;
  readonly replayedUnits: Counter;
  readonly leaseTakeovers: Counter;
  readonly deadInvocations: Counter;
  /** By `disposition`: applied and stored count; duplicate, late (given up before it), unknown and forged are dropped. */
  readonly results: Counter;
  readonly resentCalls: Counter;
  readonly overdueCalls: Counter;
  readonly orphans: Counter;

  constructor(metrics: Metrics) {
    this.appendBatches = metrics.counter(
      'skein_append_batches_total',
      'Statements that stored append units.',
    );
    this.appendUnits = metrics.counter('skein_append_units_total', 'Append units that left in a batch.');
    this.fencedUnits = metrics.counter(
      'skein_append_fenced_total',
      'Append units refused because their epoch passed.',
    );
    this.replayedUnits = metrics.counter('skein_append_replayed_total', 'Append units found stored already.');
    this.leaseTakeovers = metrics.counter(
      'skein_lease_takeovers_total',
      'Invocations taken back from a lost owner.',
    );
    this.deadInvocations = metrics.counter('skein_invocations_dead_total', 'Invocations given up.');
    this.results = metrics.counter('skein_tool_results_total', 'Tool results by what became of them.');
    this.resentCalls = metrics.counter(
      'skein_tool_calls_resent_total',
      'Tool calls sent again by the sweeper.',
    );
    this.overdueCalls = metrics.counter(
      'skein_tool_calls_overdue_total',
      'Tool calls ended by their deadline.',
    );
    this.orphans = metrics.counter(
      'skein_orphans_collected_total',
      'Objects deleted because no artifact refers to them.',
    );
  }
}
