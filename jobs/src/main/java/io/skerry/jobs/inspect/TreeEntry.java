package io.skerry.jobs.inspect;

import io.skerry.StorageInfo;
import java.util.List;
import java.util.OptionalLong;

/** One object or link in the tree of a file. */
sealed interface TreeEntry {
  /** Where it is. */
  Place place();

  /** Where the object or link is, from the root. */
  default String path() {
    return place().path();
  }

  /**
   * A place in the tree.
   *
   * @param path from the root, shortened if it is long
   * @param depth number of groups above
   * @param name the last part of the path; empty for the root
   */
  record Place(String path, int depth, String name) {}

  /** Name of an attribute and its value for people: a text in quotes, or shape and type. */
  record Note(String name, String value) {}

  /** A group; {@code problems} say which of its parts could not be read. */
  record OfGroup(Place place, List<Note> attributes, List<String> problems) implements TreeEntry {}

  /**
   * A dataset.
   *
   * @param extent of each dimension
   * @param maximum of each dimension, {@link io.skerry.selection.Shape#UNLIMITED} for no limit
   * @param shape both as one text
   * @param defined number of defined elements of a sparse dataset, if it can be told
   */
  record OfDataset(
      Place place,
      List<Long> extent,
      List<Long> maximum,
      String shape,
      String type,
      StorageInfo storage,
      OptionalLong defined,
      List<Note> attributes,
      List<String> problems)
      implements TreeEntry {}

  /** A named datatype. */
  record OfType(Place place, String type) implements TreeEntry {}

  /** A link that is not followed: soft, external, user-defined, or to an object shown before. */
  record OfLink(Place place, String target) implements TreeEntry {}

  /** An object that cannot be read, and why. */
  record Unreadable(Place place, String reason) implements TreeEntry {}
}
