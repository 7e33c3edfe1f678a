package io.skerry.internal.file;

import io.skerry.AttributeOrder;
import io.skerry.DatasetSpec;
import io.skerry.NoSuchObjectException;
import io.skerry.datatype.Datatype;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.Message;
import io.skerry.format.message.SharedReference;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.internal.tree.ObjectForms;
import io.skerry.internal.tree.ObjectTree;
import io.skerry.spi.ObjectPath;
import java.util.List;
import java.util.Optional;

/**
 * Creates and finds committed datatypes, and counts the datasets and attributes that share them.
 */
final class CommittedTypes {
  private CommittedTypes() {}

  /**
   * A committed datatype.
   *
   * @param reference the reference through which objects share the datatype
   */
  record Found(Datatype datatype, SharedReference reference) {}

  /** Commits a datatype at a path, for datasets and attributes to share. */
  static NativeDatatype create(NativeFile file, String path, Datatype type) {
    FreeName name = FreeName.at(file, path);
    ObjectHeader header =
        file.tree()
            .forms()
            .plain(
                List.of(DatatypeMessage.of(type)),
                AttributeOrder.UNTRACKED,
                ObjectForms.DATASET_SLACK,
                file.collective().space());
    file.tree().add(header);
    name.link(new LinkTarget.Hard(header.address()));
    return new NativeDatatype(file, ObjectPath.of(Resolver.absolute(path)), header.address(), type);
  }

  /**
   * Returns the committed datatype at a path that leads through hard links only.
   *
   * @throws NoSuchObjectException if there is no committed datatype at the path
   */
  static Found at(NativeFile file, String path) {
    long address = Resolver.hardAddress(file, path);
    ObjectHeader header = file.tree().header(address);
    if (header.find(LayoutMessage.class).isPresent()
        || header.find(DatatypeMessage.class).isEmpty()) {
      throw Resolver.missing(file, "not a named datatype", path);
    }
    return new Found(
        header.require(DatatypeMessage.class).datatype(), new SharedReference.Committed(address));
  }

  /**
   * Returns the reference to the committed datatype at a path; the datatype must equal the expected
   * one.
   */
  static SharedReference reference(NativeFile file, String path, Datatype expected) {
    Found found = at(file, path);
    if (!found.datatype().equals(expected)) {
      throw new IllegalArgumentException(
          "the named datatype is another one: path="
              + path
              + " expected="
              + expected
              + " actual="
              + found.datatype());
    }
    return found.reference();
  }

  /**
   * Returns the messages of a new dataset; if the dataset shares a committed datatype, a reference
   * replaces the datatype.
   *
   * @param plain the messages with the datatype itself
   */
  static List<HeaderMessage> sharing(NativeFile file, DatasetSpec spec, List<Message> plain) {
    Optional<SharedReference> type =
        spec.committed().map(path -> reference(file, path, spec.datatype()));
    return plain.stream()
        .map(message ->
            message instanceof DatatypeMessage && type.isPresent()
                ? HeaderMessage.shared(message, type.get())
                : HeaderMessage.of(message))
        .toList();
  }

  /**
   * Increments the reference count of the committed datatype that a new object shares; does nothing
   * if the object shares none.
   */
  static void count(ObjectTree tree, ObjectHeader header) {
    header.sharedReference(DatatypeMessage.class).ifPresent(type -> count(tree, type, 1));
  }

  /**
   * Changes the reference count of a committed datatype; does nothing for a reference of a
   * different kind.
   *
   * @param change the number to add to the count
   */
  static void count(ObjectTree tree, SharedReference reference, int change) {
    if (reference instanceof SharedReference.Committed(long address)) {
      tree.countReference(address, change);
    }
  }
}
