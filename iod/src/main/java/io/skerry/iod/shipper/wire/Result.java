package io.skerry.iod.shipper.wire;

import io.skerry.iod.engine.Version;
import java.util.Optional;

/** The result of a {@link Call} that was executed. */
public sealed interface Result {
  /** There is nothing to return. */
  record Done() implements Result {}

  /**
   * A number.
   *
   * @param value the number
   */
  record Number(long value) implements Result {}

  /**
   * A version.
   *
   * @param version the version; empty if there is none
   */
  record Found(Optional<Version> version) implements Result {}

  /** The payload is the value. */
  record Value() implements Result {}

  /** There is no value. */
  record Absent() implements Result {}

  /** The payload is a page of versions, see {@link PageCodec}. */
  record Versions() implements Result {}

  /** The payload is a page of values, see {@link PageCodec}. */
  record Entries() implements Result {}

  /** The payload is a list of numbers, see {@link PageCodec}. */
  record Numbers() implements Result {}

  /** The payload is a list of texts, see {@link PageCodec}. */
  record Lines() implements Result {}
}
