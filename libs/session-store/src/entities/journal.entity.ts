import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { InvocationEntity } from './invocation.entity';

/** `adk_journal`: outcomes of steps that leave no event; gone when the invocation ends. */
@Entity('adk_journal')
export class JournalEntity {
  @PrimaryColumn({ type: 'text', name: 'invocation_id', collation: 'C' })
  readonly invocationId!: string;

  @PrimaryColumn({ type: 'text', name: 'step_key', collation: 'C' })
  readonly stepKey!: string;

  /** Part of the key: one step may leave its arguments and later its `temp:` state. */
  @PrimaryColumn({ type: 'text' })
  readonly kind!: string;

  @ManyToOne(() => InvocationEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'invocation_id', foreignKeyConstraintName: 'adk_journal_invocation_id_fkey' })
  readonly invocation?: InvocationEntity;

  @Column({ type: 'jsonb', nullable: true })
  readonly payload!: unknown;

  /** Of what the step asked for. */
  @Column({ type: 'text', nullable: true })
  readonly hash!: string | null;
}
