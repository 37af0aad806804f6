/** What a model may name: everything it says is checked against this, and it is told all of it. */
export interface Catalogue {
  /** The subject's closed list; `other` comes on top. */
  readonly causes: readonly { readonly class: string; readonly title: string }[];
  /** Actions within the agent's scope. */
  readonly actions: readonly { readonly name: string; readonly cures: readonly string[] }[];
  /** Hosts and APIs by the names that calls use. */
  readonly hosts: readonly string[];
  readonly apis: readonly string[];
  /** Programs that the agent may run to look. */
  readonly programs: readonly string[];
  /** What one has to know of this kind of system. */
  readonly context: string;
}
