package io.skerry.jobs.inspect;

import io.skerry.StorageInfo;
import io.skerry.jobs.virtual.MappingSummary;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** One object or link in the tree of a file. */
sealed interface TreeEntry {
  /** Returns the position in the tree. */
  Place place();

  /** Returns the absolute path of the object or link, shortened if it is long. */
  default String path() {
    return place().path();
  }

  /**
   * A position in the tree.
   *
   * @param path the absolute path, shortened if it is long
   * @param depth the number of groups on the path above this position; 0 for the root group
   * @param name the last part of the path in printable form, shortened if it is very long; empty
   *     for the root group
   */
  record Place(String path, int depth, String name) {}

  /**
   * The name of an attribute, and its value if it is a single string of fixed length; otherwise its
   * shape and datatype.
   */
  record Note(String name, String value) {}

  /**
   * A group.
   *
   * @param problems messages about the parts of the group that cannot be read
   */
  record OfGroup(Place place, List<Note> attributes, List<String> problems) implements TreeEntry {}

  /**
   * A dataset.
   *
   * @param extent the extent of each dimension
   * @param maximum the maximum extent of each dimension; {@link
   *     io.skerry.selection.Shape#UNLIMITED} for no limit
   * @param shape the extent and the maximum extent as text; {@code "null"} for a null dataspace
   * @param defined the number of defined elements of a sparse dataset; empty for a dense dataset,
   *     or if the number cannot be determined
   * @param mappings the mappings of a virtual dataset; empty for any other dataset, or if they
   *     cannot be read
   * @param problems messages about the parts of the dataset that cannot be read
   */
  record OfDataset(
      Place place,
      List<Long> extent,
      List<Long> maximum,
      String shape,
      String type,
      StorageInfo storage,
      OptionalLong defined,
      Optional<MappingSummary> mappings,
      List<Note> attributes,
      List<String> problems)
      implements TreeEntry {}

  /** A named datatype. */
  record OfType(Place place, String type) implements TreeEntry {}

  /**
   * A map.
   *
   * @param key the datatype of the keys
   * @param value the datatype of the values
   * @param size the number of pairs; empty if they cannot be counted
   * @param problems messages about the parts of the map that cannot be read
   */
  record OfMap(
      Place place,
      String key,
      String value,
      OptionalLong size,
      List<Note> attributes,
      List<String> problems)
      implements TreeEntry {}

  /** A link that is not followed: soft, external, user-defined, or to an object listed before. */
  record OfLink(Place place, String target) implements TreeEntry {}

  /** An object that cannot be read, and the reason. */
  record Unreadable(Place place, String reason) implements TreeEntry {}
}
