/** The tables of the engine. A migration never changes once it is released: the next one follows it. */

export const migrations: readonly string[] = [
  `create table collab.process (
     number integer generated always as identity primary key,
     host text not null,
     pid integer not null,
     backend integer not null,
     started_at timestamptz not null default now(),
     seen_at timestamptz not null default now()
   );
   create table collab.run (
     id text primary key,
     tenant text not null,
     conversation text not null,
     generation integer not null default 0,
     owner integer references collab.process (number) on delete set null,
     owned_at timestamptz,
     created_at timestamptz not null default now(),
     ended_at timestamptz
   );
   create index run_of_tenant on collab.run (tenant, created_at desc);
   create index run_of_owner on collab.run (owner) where owner is not null;
   create table collab.run_event (
     run_id text not null references collab.run (id) on delete cascade,
     seq integer not null,
     type text not null,
     body text not null,
     primary key (run_id, seq)
   );
   create table collab.run_blob (
     run_id text not null references collab.run (id) on delete cascade,
     sha text not null,
     size integer not null,
     body bytea not null,
     primary key (run_id, sha)
   );
   create table collab.run_request (
     id bigint generated always as identity primary key,
     run_id text not null references collab.run (id) on delete cascade,
     owner integer not null references collab.process (number) on delete cascade,
     body text not null,
     reply text,
     asked_at timestamptz not null default now()
   );
   create index run_request_open on collab.run_request (owner) where reply is null;`,
  `create table collab.tree (
     id text primary key,
     size bigint not null,
     used_at timestamptz not null default now()
   );
   create table collab.tree_part (
     tree text not null references collab.tree (id) on delete cascade,
     part integer not null,
     body bytea not null,
     primary key (tree, part)
   );
   alter table collab.run
     add column kind text,
     add column input text,
     add column tree text references collab.tree (id);
   create index run_of_tree on collab.run (tree) where tree is not null;
   create table collab.run_file (
     run_id text not null references collab.run (id) on delete cascade,
     name text not null,
     body text not null,
     primary key (run_id, name)
   );
   create table collab.task (
     run_id text primary key references collab.run (id) on delete cascade,
     kind text not null,
     providers text[] not null,
     protocol integer not null,
     state text not null default 'queued' check (state in ('queued', 'driven', 'asking', 'done')),
     worker integer,
     lost integer not null default 0,
     left_seq integer not null default 0,
     fault text,
     queued_at timestamptz not null default now(),
     ready_at timestamptz not null default now()
   );
   create index task_open on collab.task (queued_at) where state <> 'done';`,
  `alter table collab.run
     add column repository text,
     add column token text;
   create index run_of_conversation on collab.run (tenant, conversation);
   create index run_of_token on collab.run (token) where token is not null and ended_at is null;`,
  `create table collab.tenant (
     name text primary key,
     share double precision not null default 1 check (share > 0),
     most_queued integer check (most_queued >= 0)
   );
   alter table collab.task
     add column tenant text,
     add column priority smallint not null default 0,
     add column taken_at timestamptz;
   update collab.task set tenant = run.tenant from collab.run where run.id = task.run_id;
   alter table collab.task alter column tenant set not null;
   drop index collab.task_open;
   create index task_queued on collab.task (tenant, kind, protocol, providers, priority, queued_at)
     where state = 'queued';
   create index task_driven on collab.task (tenant) where state = 'driven';
   create index task_asking on collab.task (run_id) where state = 'asking';
   create index task_taken on collab.task (tenant, taken_at) where taken_at is not null;`,
  `alter table collab.tenant add column usd_per_day double precision check (usd_per_day >= 0);
   create table collab.provider (
     name text primary key,
     calls_per_minute integer not null check (calls_per_minute > 0)
   );
   create table collab.call (
     id text primary key,
     run_id text not null,
     tenant text not null,
     provider text not null,
     worker integer not null,
     expected_usd double precision not null,
     usd double precision,
     reserved_at timestamptz not null default clock_timestamp(),
     settled_at timestamptz
   );
   create index call_of_tenant on collab.call (tenant, reserved_at);
   create index call_of_provider on collab.call (provider, reserved_at);`,
  `alter table collab.run add column listed text;`,
  `alter table collab.task add column outcome text;
   create index run_ended on collab.run (ended_at) where ended_at is not null;`,
  `alter table collab.run add column cancel_asked_at timestamptz;`,
];
