package io.skerry.jobs.integrity;

import java.util.List;
import java.util.Optional;

/**
 * One object in a content digest.
 *
 * @param path the absolute path of the object, shortened if it is long
 * @param kind group, dataset, datatype, map, or unreadable
 * @param content the content of a dataset or map, or the type of a named datatype; empty for other
 *     kinds
 * @param attributes the attributes, in the order of their names, each with its own error
 * @param error the reason why the object, its links, its elements or the list of its attributes
 *     were not read, such as damage or the limit on the work; empty if there is no such failure
 */
record DigestEntry(
    String path,
    String kind,
    Optional<Content> content,
    List<Note> attributes,
    Optional<String> error) {

  /**
   * The content of a dataset, an attribute, a map or a named datatype.
   *
   * @param shape the extent of each dimension; empty for a null dataspace, a map or a named
   *     datatype
   * @param type the canonical name of the datatype, or those of a map
   * @param sha256 the digest of the elements in canonical form, or of the pairs; empty for a null
   *     dataspace, a named datatype, or after an error
   */
  record Content(Optional<List<Long>> shape, String type, Optional<String> sha256) {}

  /** One attribute, its content, and the reason why it cannot be read, if any. */
  record Note(String name, Optional<Content> content, Optional<String> error) {}
}
