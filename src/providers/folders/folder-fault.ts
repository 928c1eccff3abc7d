/** A fault of a provider's folder. All faults are reported together (X003-20). */
export const folderFaultCodes = [
  'folder_name',
  'folder_digit',
  'name_taken',
  'entry_missing',
  'entry_ambiguous',
  'entry_unsupported',
  'package_missing',
  'package_invalid',
  'dependency_missing',
  'dependency_version',
  'import_undeclared',
  'profile_missing',
  'profile_invalid',
  'entry_fails',
  'class_missing',
  'class_ambiguous',
  'provider_name',
  'profile_dir',
  'method_missing',
  'method_arity',
  'key_variable',
  'error_handling',
  'abort_ignored',
  'history_lost',
] as const;
export type FolderFaultCode = (typeof folderFaultCodes)[number];

export interface FolderFault {
  readonly code: FolderFaultCode;
  /** Absolute; for a profile, with a JSON pointer after `#`. */
  readonly path: string;
  readonly expected: string;
  /** The remedy, as one sentence or a command to paste. */
  readonly fix: string;
}
