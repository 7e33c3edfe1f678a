package io.skerry;

/** What a copy of objects does other than usual. */
public enum CopyOption {
  /** Of a group, copies its members, but not what is in groups among them. */
  SHALLOW,
  /** Copies what soft links lead to, in the place of the links; those that lead nowhere stay. */
  EXPAND_SOFT,
  /** Copies what external links lead to, in the place of the links; others stay. */
  EXPAND_EXTERNAL,
  /**
   * Copies what references lead to as well. What is not linked elsewhere in the copy is found in
   * the root group as {@code ~obj_pointed_by_} and its address.
   */
  EXPAND_REFERENCES,
  /**
   * References to objects that are copied lead to their copies, others become null. Without this or
   * {@link #EXPAND_REFERENCES} all references become null in another file, and stay as they are in
   * the same.
   */
  KEEP_INNER_REFERENCES,
  /** Leaves attributes out. */
  WITHOUT_ATTRIBUTES
}
