package io.skerry.iod.engine;

import io.skerry.chunk.text.PrintableText;
import java.util.OptionalInt;

/**
 * Thrown if the storage of a container fails. The message includes the container, the shard and the
 * report of the engine.
 */
public final class EngineException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kinds of failures, independent of the engine. */
  public enum Fault {
    /** There is no room for the change. */
    NO_SPACE,
    /** The storage does not permit changes. */
    READ_ONLY,
    /** Stored bytes are damaged or missing. */
    DAMAGED,
    /** The storage cannot be reached or fails in another way. */
    INPUT_OUTPUT,
    /** The engine cannot be used, for example because its library is missing. */
    UNAVAILABLE
  }

  private final Fault fault;
  private final String container;
  private final transient OptionalInt shard;
  private final String code;
  private final String reported;

  /**
   * Creates an exception.
   *
   * @param fault the kind of the failure
   * @param container the location of the container
   * @param shard the shard; empty if the failure concerns the whole container
   * @param code the code that the engine reported; may be empty
   * @param said the description that the engine reported
   * @param cause the exception of the engine
   */
  public EngineException(
      Fault fault, String container, OptionalInt shard, String code, String said, Throwable cause) {
    super(
        PrintableText.message(
            "the storage failed: fault="
                + fault
                + " container="
                + container
                + (shard.isPresent() ? " shard=" + shard.getAsInt() : "")
                + (code.isEmpty() ? "" : " code=" + code)
                + " reported="
                + said),
        cause);
    this.fault = fault;
    this.container = container;
    this.shard = shard;
    this.code = code;
    this.reported = said;
  }

  /** Returns the kind of the failure. */
  public Fault fault() {
    return fault;
  }

  /** Returns the location of the container. */
  public String container() {
    return container;
  }

  /** Returns the shard; empty if the failure concerns the whole container. */
  public OptionalInt shard() {
    return shard;
  }

  /** Returns the description that the engine reported. */
  public String reported() {
    return reported;
  }

  /** Returns the code that the engine reported, in the words of the engine; may be empty. */
  public String code() {
    return code;
  }
}
