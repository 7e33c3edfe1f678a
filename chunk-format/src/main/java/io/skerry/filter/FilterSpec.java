package io.skerry.filter;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * One filter of a pipeline as the filter pipeline message describes it.
 *
 * @param id registered number, 1..65535
 * @param flag whether it may be skipped
 * @param name what the file calls it; the library's own filters (below 256) store none
 * @param clientData its parameters, u32 each
 */
public record FilterSpec(int id, FilterFlag flag, Optional<String> name, int[] clientData) {
  /** Refuses a number that cannot be stored. */
  public FilterSpec {
    if (id < 1 || id > 0xffff) {
      throw new IllegalArgumentException("filter id must be 1..65535: id=" + id);
    }
    clientData = clientData.clone();
  }

  /** A nameless filter. */
  public static FilterSpec of(int id, FilterFlag flag, int... clientData) {
    return new FilterSpec(id, flag, Optional.empty(), clientData);
  }

  /** The parameters; a copy. */
  @Override
  public int[] clientData() {
    return clientData.clone();
  }

  /** The name in the file, else the registered name of the number; empty if there is neither. */
  public Optional<String> knownName() {
    return name.or(() -> RegisteredFilters.nameOf(id));
  }

  /** The same filter with other parameters. */
  public FilterSpec withClientData(int... data) {
    return new FilterSpec(id, flag, name, data);
  }

  /** The same filter, mandatory or optional. */
  public FilterSpec withFlag(FilterFlag newFlag) {
    return new FilterSpec(id, newFlag, name, clientData);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FilterSpec(int i, FilterFlag f, Optional<String> n, int[] c)
        && i == id
        && f == flag
        && n.equals(name)
        && Arrays.equals(c, clientData);
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, flag, name, Arrays.hashCode(clientData));
  }

  /** As {@code deflate(6)}, {@code filter32015(3)}. */
  @Override
  public String toString() {
    String data = Arrays.toString(clientData);
    return knownName().orElse("filter" + id) + "(" + data.substring(1, data.length() - 1) + ")";
  }
}
