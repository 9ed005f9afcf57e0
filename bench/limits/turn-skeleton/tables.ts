/** As few tables and columns as the hops need. */
export const TABLES = `
  create table sessions (
    id text primary key, last_seq bigint not null default 0, epoch int not null default 0,
    append_number int not null default 0, state jsonb not null default '{}');
  create table events (session_id text, seq bigint, id uuid, invocation_id text, body jsonb, primary key (session_id, seq));
  create unique index on events (id);
  create table invocations (
    id text primary key, session_id text, status text, epoch int, owner text, lease timestamptz, message jsonb)`;

/** A turn begins: its session's lease, and the user's message. */
export const SUBMIT = {
  name: 'submit',
  text: `
    with asked as (
      select * from unnest($1::text[], $2::text[], $3::jsonb[]) as asked (session_id, invocation_id, message)
    ), leased as (
      insert into sessions (id, epoch) select session_id, 1 from asked
      on conflict (id) do update set epoch = sessions.epoch + 1, append_number = 0
      returning id, epoch
    ), invoked as (
      insert into invocations (id, session_id, status, epoch, owner, lease, message)
      select asked.invocation_id, leased.id, 'running', leased.epoch, 'runner', now() + interval '15 s', asked.message
      from asked join leased on leased.id = asked.session_id
    )
    select id as key, epoch from leased`,
};

/** Events of a turn, fenced by the epoch and the number of the append; the last of them ends it. */
export const APPEND = {
  name: 'append',
  text: `
    with asked as (
      select * from unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::jsonb[], $6::bool[])
        as asked (session_id, invocation_id, epoch, append_number, events, final)
    ), locked as (
      select id from sessions join asked on asked.session_id = id order by id for update of sessions
    ), moved as (
      update sessions set
        last_seq = last_seq + jsonb_array_length(asked.events), append_number = asked.append_number
      from asked
      where sessions.id = asked.session_id and sessions.id in (select id from locked)
        and sessions.epoch = asked.epoch and sessions.append_number = asked.append_number - 1
      returning sessions.id, sessions.last_seq, asked.invocation_id, asked.events, asked.final
    ), stored as (
      insert into events (session_id, seq, id, invocation_id, body)
      select moved.id, moved.last_seq - jsonb_array_length(moved.events) + event.n, (event.body ->> 'id')::uuid,
        moved.invocation_id, event.body
      from moved, jsonb_array_elements(moved.events) with ordinality as event (body, n)
    ), ended as (
      update invocations set status = 'completed' from moved where invocations.id = moved.invocation_id and moved.final
    )
    select moved.id as key, asked.epoch from moved join asked on asked.session_id = moved.id`,
};
