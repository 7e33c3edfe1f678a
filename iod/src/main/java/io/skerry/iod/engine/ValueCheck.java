package io.skerry.iod.engine;

/** The layer that checks whether the bytes of a value that was read are those that were stored. */
public enum ValueCheck {
  /** The engine, by its own checksum if it has one. */
  BY_ENGINE,
  /**
   * The caller, who has a checksum of the value. The engine then leaves out its own check of a
   * large value, which can take half of the time of a read.
   */
  BY_CALLER
}
