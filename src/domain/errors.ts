/**
 * Every error that a person can meet: what it means and what to do next. Codes are stable; `docs/errors.md` is made
 * from this table.
 */
export const ERRORS = {
  MEDIC_INSTANCE_RUNNING: {
    what: 'Another Medic already runs on this home.',
    next: 'Use its verbs, stop it, or pass another --home.',
  },
  MEDIC_INSTANCE_NOT_RUNNING: { what: 'No Medic runs on this home.', next: 'Start one with `./medic up`.' },
  MEDIC_HOME_UNWRITABLE: { what: 'The home folder cannot be written.', next: 'Pass a writable --home.' },
  MEDIC_PORT_TAKEN: {
    what: 'A port that was asked for explicitly is in use.',
    next: 'Free it, or leave the option out to take the next free one.',
  },
  MEDIC_PROCESS_NOT_READY: {
    what: 'A process of this instance did not come up.',
    next: 'Read the end of the log that is named.',
  },
  MEDIC_TEMPORAL_UNREACHABLE: {
    what: 'The Temporal server does not answer.',
    next: 'Check TEMPORAL_ADDRESS, or start one with `./medic up`.',
  },
  MEDIC_WORKER_SILENT: {
    what: 'Temporal answers, but no worker does.',
    next: 'Wait until it is back, or look with `./medic doctor`.',
  },
  MEDIC_TEMPORAL_CLI_MISSING: {
    what: 'No Temporal CLI could be found or fetched.',
    next: 'Install it and set TEMPORAL_CLI_PATH.',
  },
  MEDIC_TEMPORAL_SEARCH_ATTRIBUTE: {
    what: 'A search attribute exists under another type.',
    next: 'Remove or rename it on that namespace; Medic needs it as Keyword.',
  },
  MEDIC_REPLAY_DIVERGED: {
    what: 'An open workflow does not replay on this code.',
    next: 'Run the version that started it, or close the listed workflows first.',
  },
  MEDIC_BUILD_MISSING: { what: 'The project is not built.', next: 'Run `npm run setup`.' },
  MEDIC_TICKET_UNKNOWN: { what: 'There is no such ticket.', next: 'List them with `./medic tickets`.' },
  MEDIC_TICKET_CLOSED: {
    what: 'The ticket is closed.',
    next: 'Read it with `./medic show`; a recurrence opens a new one.',
  },
  MEDIC_SUBJECT_UNKNOWN: {
    what: 'There is no such subject.',
    next: 'The subject of the lab is `tikv`; those of medic.yaml are named there.',
  },
  MEDIC_RESET_ACTING: {
    what: 'A ticket that acts on a host cannot be reset.',
    next: 'Wait until it verifies, or `./medic abort` it first.',
  },
  MEDIC_RESET_TURN: {
    what: 'The present run of the ticket has no such turn.',
    next: 'Choose one of the turns that are named; `./medic trail` tells what happened in each.',
  },
  MEDIC_WHATIF_TURN: {
    what: 'The recorded run has no such turn.',
    next: 'Choose one of the turns that are named; `./medic trail` tells what happened in each.',
  },
  MEDIC_WHATIF_EVIDENCE: {
    what: 'Evidence cannot be replaced as asked.',
    next: 'Name evidence of this ticket and a file with its new body: `--set e12=FILE`.',
  },
  MEDIC_DECIDE_NOTHING_PENDING: { what: 'No proposal is waiting for an answer.', next: 'Look with `./medic show`.' },
  MEDIC_DECIDE_STALE: {
    what: 'The answer names another proposal or basis.',
    next: 'Look at the present one and answer that.',
  },
  MEDIC_AMEND_SHAPE: {
    what: 'The amended plan is not of the right form.',
    next: 'See docs/approvals.md for the form of a plan.',
  },
  MEDIC_AMEND_OVERTAKEN: {
    what: 'The ticket went on before the amended plan was ruled on; it is not pending.',
    next: 'Look with `./medic show` and answer what is there now.',
  },
  MEDIC_EDITOR_FAILED: {
    what: 'The editor did not end well, so nothing was sent.',
    next: 'Set EDITOR to one that works, or pass --file.',
  },
  MEDIC_MAINTENANCE_SHAPE: {
    what: 'The maintenance window is not of the right form.',
    next: 'Name a target or --all, and a time of at most seven days.',
  },
  MEDIC_MAINTENANCE_TARGET: {
    what: 'The subject has no such target, so nothing of it could be recorded.',
    next: 'Use one of the names that are listed, or --all.',
  },
  MEDIC_MAINTENANCE_UNKNOWN: {
    what: 'There is no such maintenance window, or it is over.',
    next: 'List them with `./medic maintenance list`.',
  },
  MEDIC_DECIDE_SHAPE: { what: 'The answer is not of the right form.', next: 'See docs/messages.md.' },
  MEDIC_DECIDE_UNSIGNED: {
    what: 'An unsigned answer is not enough for this.',
    next: 'Let somebody of medic.yaml answer, with a key of `./medic identity create`; see docs/approvals.md.',
  },
  MEDIC_DECIDE_UNKNOWN_PERSON: {
    what: 'The answer is signed by somebody whom medic.yaml does not name.',
    next: 'Add the line of `./medic identity show` to its `people`, or answer with `--unsigned`.',
  },
  MEDIC_DECIDE_FORGED: {
    what: 'The signature does not belong to this answer.',
    next: 'Answer again with `./medic approve`; if it happens again, compare `./medic identity show` with medic.yaml.',
  },
  MEDIC_DECIDE_NOT_ALLOWED: {
    what: 'No role of this person allows it.',
    next: 'Ask one of those whom `./medic show` names, or widen a role in medic.yaml.',
  },
  MEDIC_DECIDE_EXPIRED: {
    what: 'The answer does not hold any more, or would hold for too long.',
    next: 'Answer again; an approval holds for 15 minutes unless `--for` says otherwise, 24 h at most.',
  },
  MEDIC_IDENTITY_EXISTS: {
    what: 'There is a key already, and no key is ever overwritten.',
    next: 'Use it (`./medic identity show`), or pass another --file.',
  },
  MEDIC_IDENTITY_UNREADABLE: {
    what: 'The file of an identity cannot be used.',
    next: 'Make one with `./medic identity create`, or pass the right --file.',
  },
  MEDIC_IDENTITY_UNWRITABLE: { what: 'The file of an identity cannot be written.', next: 'Pass another --file.' },
  MEDIC_POLICY_PARSE: {
    what: 'The command cannot be parsed for certain.',
    next: 'Write it without the named construct.',
  },
  MEDIC_POLICY_DYNAMIC_COMMAND: {
    what: 'What would run is decided only at run time.',
    next: 'Write the command name literally.',
  },
  MEDIC_POLICY_CONTROL_CHARACTER: {
    what: 'The command holds control or direction characters.',
    next: 'Write it in plain text.',
  },
  MEDIC_POLICY_SELF: { what: 'The command touches Medic or Temporal itself.', next: 'A person does that, by hand.' },
  MEDIC_POLICY_FORBIDDEN: { what: 'A rule forbids this.', next: 'Choose another way, or do it by hand.' },
  MEDIC_POLICY_PHASE: { what: 'Only reads run in this phase.', next: 'Propose it instead.' },
  MEDIC_POLICY_SCOPE: { what: "It is outside the agent's scope.", next: 'A person may approve it.' },
  MEDIC_POLICY_OBSERVE: {
    what: 'The subject is only observed: proposals are shown, nothing runs.',
    next: 'Do it by hand, or set its autonomy to `ask`.',
  },
  MEDIC_POLICY_QUORUM: {
    what: 'A group would lose its majority, or a second member would be touched while one is impaired.',
    next: 'Bring the impaired member back first.',
  },
  MEDIC_POLICY_UNPROVEN: {
    what: 'The facts to rule on it are missing or too old.',
    next: 'Look again, or let a person decide.',
  },
  MEDIC_POLICY_PRECONDITION: { what: "The action's precondition does not hold.", next: 'See the reason given.' },
  MEDIC_CONFIG_UNREADABLE: { what: 'A configuration file cannot be read.', next: 'Check the path and its rights.' },
  MEDIC_CONFIG_SYNTAX: { what: 'A configuration file is not valid YAML.', next: 'Correct the given line.' },
  MEDIC_CONFIG_INVALID: { what: 'A configuration value is not allowed.', next: 'Correct the given line.' },
  MEDIC_CONFIG_UNKNOWN_KEY: { what: 'A configuration key does not exist.', next: 'Correct or remove it.' },
  MEDIC_INIT_EXISTS: {
    what: 'There is such a file, and `init` touches none that is there.',
    next: 'Pass another --out, or move it away.',
  },
  MEDIC_BUDGET_UNREACHABLE: {
    what: 'The budget does not answer, so no paid call may be made.',
    next: 'Wait until Temporal and a worker are back; tickets go on with rules meanwhile.',
  },
  MEDIC_BUDGET_SHAPE: {
    what: 'A message to the budget is not of the right form.',
    next: 'See docs/budget.md.',
  },
  MEDIC_LAB_RUNNING: {
    what: 'A lab already runs in this folder.',
    next: 'Use it, or stop it with `./medic lab down`.',
  },
  MEDIC_LAB_NOT_RUNNING: { what: 'No lab runs in this folder.', next: 'Start one with `./medic lab up`.' },
  MEDIC_LAB_FAILED: { what: 'The lab could not do what was asked.', next: 'Read `logs/labd.stderr` in its folder.' },
  MEDIC_LAB_UNHEALTHY: { what: 'The lab did not become healthy in time.', next: 'Read the logs it names.' },
  MEDIC_LAB_UNKNOWN_NODE: { what: 'The lab has no such node.', next: 'List them with `labctl ps`.' },
  MEDIC_CHAOS_NOT_OURS: {
    what: 'Chaos works only on a lab that Medic made.',
    next: 'Start one with `./medic lab up`.',
  },
  MEDIC_CHAOS_UNKNOWN_FAULT: { what: 'There is no such fault.', next: 'List them with `./medic chaos list`.' },
  MEDIC_CHAOS_TARGET: { what: 'The fault cannot hit this target.', next: 'Name a running node of the right kind.' },
  MEDIC_CHAOS_NOT_CONFIRMED: {
    what: 'The fault was injected but its effect was not seen.',
    next: 'Heal it and look at the lab.',
  },
  MEDIC_PD_UNREADABLE: {
    what: 'PD of a cluster cannot be read.',
    next: 'Check its endpoints, its TLS and the way there; `./medic doctor` says what each answers.',
  },
  MEDIC_EVIDENCE_MISSING: {
    what: 'A recorded body is not in the evidence store.',
    next: 'Check that --home is the right one.',
  },
  MEDIC_EVIDENCE_CORRUPT: { what: 'A recorded body does not match its hash.', next: 'Restore it from a backup.' },
  MEDIC_DISK_FULL: {
    what: 'The disk that holds the home is full, so evidence or an archived ticket could not be stored. Nothing was lost.',
    next: 'Make room there; what waits goes on by itself, an escalated ticket with a `./medic hint`.',
  },
  MEDIC_BUNDLE_UNREADABLE: {
    what: 'The file is no exported ticket, or was damaged.',
    next: 'Export it again with `./medic export`.',
  },
  MEDIC_BUNDLE_UNWRITABLE: { what: 'The file cannot be written.', next: 'Name another one.' },
  MEDIC_IMPORT_EXISTS: {
    what: 'The home has another ticket of this number, or a later record of this one.',
    next: 'Import into a home of its own: `./medic import FILE --home .review`.',
  },
  MEDIC_ARCHIVE_UNREADABLE: {
    what: 'An archived ticket cannot be read.',
    next: 'Restore the file from a backup, or read it with the version of Medic that wrote it.',
  },
  MEDIC_REASONER_NOTHING_RECORDED: {
    what: 'The recorded reasoner was asked about a turn that the archive does not hold.',
    next: 'Replay with the archive of this ticket, or let another reasoner think from that turn on.',
  },
  MEDIC_REASONER_UNAVAILABLE: {
    what: 'The model cannot be asked.',
    next: 'Read the reason; the rules reason without a model (`--reasoner rules`).',
  },
  MEDIC_MODEL_KEY_MISSING: {
    what: 'A model was asked for and there is no key for it.',
    next: 'Set ANTHROPIC_API_KEY, or use `--reasoner rules`.',
  },
  MEDIC_MODEL_UNKNOWN: {
    what: 'There is no price for this model, so no call of it could be kept within the budget.',
    next: 'Add its price to agents/models.yaml, or use one that is there.',
  },
  MEDIC_JOURNAL_UNREADABLE: {
    what: "A host's journal does not answer, so what ran there is not known.",
    next: 'Bring the host back, then look at the subject.',
  },
  MEDIC_SECRET_MISSING: {
    what: 'A secret that medic.yaml refers to is not there.',
    next: 'Set the variable for the process of Medic, or write the file that is named.',
  },
  MEDIC_NOTIFY_REFUSED: {
    what: 'A receiver of notifications refuses them for good.',
    next: 'Correct its entry in medic.yaml and try it with `./medic notify test`.',
  },
  MEDIC_NOTIFY_FAILED: {
    what: 'A receiver of notifications cannot be reached now.',
    next: 'Nothing: it is tried for a day. `./medic notify test` tells what is wrong.',
  },
  MEDIC_HOST_UNKNOWN: { what: 'No host of that name is configured.', next: 'Use a host of the inventory.' },
  MEDIC_HISTORY_UNREADABLE: { what: 'The file is no workflow history.', next: 'Pass a JSON history or a ticket id.' },
  MEDIC_SUMMARY_UNWRITABLE: {
    what: 'The file for the summary of a demo cannot be written.',
    next: 'Pass a writable --summary.',
  },
  MEDIC_USAGE: { what: 'The command line is not understood.', next: 'See `./medic help`.' },
} as const satisfies Record<string, { what: string; next: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** An error for people: code, the particular words, the next step (the registry's unless a better one is known). */
export class MedicError extends Error {
  override readonly name = 'MedicError';
  readonly code: ErrorCode;
  readonly next: string;

  constructor(code: ErrorCode, message: string, next?: string) {
    super(message);
    this.code = code;
    this.next = next ?? ERRORS[code].next;
  }
}
