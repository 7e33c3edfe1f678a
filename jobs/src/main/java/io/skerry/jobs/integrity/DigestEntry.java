package io.skerry.jobs.integrity;

import java.util.List;
import java.util.Optional;

/**
 * One object in a content digest.
 *
 * @param kind group, dataset, datatype, or unreadable
 * @param content of a dataset; the type alone of a datatype
 * @param attributes in the order of their names
 * @param error why part of it is missing
 */
record DigestEntry(
    String path,
    String kind,
    Optional<Content> content,
    List<Note> attributes,
    Optional<String> error) {

  /**
   * What elements say.
   *
   * @param shape of the extent; empty if the dataspace is null
   * @param type canonical name
   * @param sha256 of the canonical bytes; empty if there are no elements to speak of, or an error
   */
  record Content(Optional<List<Long>> shape, String type, Optional<String> sha256) {}

  /** One attribute. */
  record Note(String name, Optional<Content> content, Optional<String> error) {}
}
