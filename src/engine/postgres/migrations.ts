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
];
