package io.skerry.filter;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * The specification of a filter in a pipeline, as stored in the filter pipeline message.
 *
 * @param id the registered number, 1 to 65,535
 * @param flag the treatment of the filter if it fails during a write
 * @param name the name in the file; empty if there is none
 * @param clientData the parameters, u32 each
 */
public record FilterSpec(int id, Flag flag, Optional<String> name, int[] clientData) {
  /**
   * Creates a specification with a copy of the parameters. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the number is not 1 to 65,535
   */
  public FilterSpec {
    if (id < 1 || id > 0xffff) {
      throw new IllegalArgumentException("filter id must be 1..65535: id=" + id);
    }
    clientData = clientData.clone();
  }

  /**
   * Returns a specification without a name. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the number is not 1 to 65,535
   */
  public static FilterSpec of(int id, Flag flag, int... clientData) {
    return new FilterSpec(id, flag, Optional.empty(), clientData);
  }

  /** Returns a copy of the parameters. Local, thread-safe; does not fail. */
  @Override
  public int[] clientData() {
    return clientData.clone();
  }

  /**
   * Returns the name in the file, or else the name registered for the number; empty if both are
   * missing. Local, thread-safe; does not fail.
   */
  public Optional<String> knownName() {
    return name.or(() -> RegisteredFilters.nameOf(id));
  }

  /** Returns this specification with different parameters. Local, thread-safe; does not fail. */
  public FilterSpec withClientData(int... data) {
    return new FilterSpec(id, flag, name, data);
  }

  /** Returns this specification with a different flag. Local, thread-safe; does not fail. */
  public FilterSpec withFlag(Flag newFlag) {
    return new FilterSpec(id, newFlag, name, clientData);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FilterSpec(int i, Flag f, Optional<String> n, int[] c)
        && i == id
        && f == flag
        && n.equals(name)
        && Arrays.equals(c, clientData);
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, flag, name, Arrays.hashCode(clientData));
  }

  /** Returns the name and the parameters, for example {@code deflate(6)} or {@code filter99(3)}. */
  @Override
  public String toString() {
    String data = Arrays.toString(clientData);
    return knownName().orElse("filter" + id) + "(" + data.substring(1, data.length() - 1) + ")";
  }

  /** The treatment of a filter that fails during a write; stored in bit 0 of the flags. */
  public enum Flag {
    /** The write fails. */
    MANDATORY,
    /** The filter is skipped, and its bit in the mask of the chunk is set. */
    OPTIONAL;

    /** Returns the flags as stored. Local, thread-safe; does not fail. */
    public int bits() {
      return ordinal();
    }

    /**
     * Decodes the stored flags; all bits except bit 0 are reserved and ignored. Local, thread-safe;
     * does not fail.
     */
    public static Flag ofBits(int bits) {
      return (bits & 1) == 0 ? MANDATORY : OPTIONAL;
    }
  }
}
