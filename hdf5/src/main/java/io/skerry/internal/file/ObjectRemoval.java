package io.skerry.internal.file;

import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.SharedReference;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.internal.dataset.LostContent;
import io.skerry.internal.dataset.open.DatasetOpener;
import io.skerry.internal.tree.GroupLinks;
import io.skerry.internal.tree.HeaderRemoval;
import io.skerry.internal.tree.ObjectTree;
import io.skerry.internal.value.OwnedContent;
import io.skerry.spi.ObjectPath;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Removes links. An object is deleted with its last hard link, as are the objects below it that
 * have no other hard link; a committed datatype remains as long as datasets or attributes share it,
 * and groups that link to each other in a cycle remain, as in HDF5. Freed space can be reused after
 * the next flush.
 */
final class ObjectRemoval {
  private final NativeFile file;
  private final ObjectTree tree;
  private final Deque<Long> released = new ArrayDeque<>();
  private final LostContent lost;
  private final HeaderRemoval headers;
  private final ElementRemoval elements;

  ObjectRemoval(NativeFile file) {
    this.file = file;
    this.tree = file.tree();
    this.lost = new LostContent(file);
    this.headers = new HeaderRemoval(tree, file.collective().space());
    this.elements = new ElementRemoval(file);
  }

  /** Removes the link at a path. */
  void unlink(String path) {
    Resolver.Found found = Resolver.link(file, path);
    new GroupLinks(tree, found.group()).remove(found.link().name());
    release(found.link());
    finish();
  }

  /** Releases the content that a removed attribute owned, and the datatype that it shared. */
  void attribute(AttributeMessage gone) {
    gone.sharedType().ifPresent(this::releaseType);
    lost.attribute(gone);
    finish();
  }

  private void finish() {
    while (!released.isEmpty()) {
      releaseObject(released.removeFirst());
    }
    file.collective().log().afterwards(lost::release);
  }

  private void release(LinkMessage link) {
    if (link.target() instanceof LinkTarget.Hard(long address)) {
      released.addLast(address);
    }
  }

  private void releaseObject(long address) {
    if (address == tree.rootAddress() || tree.header(address).references() > 1) {
      tree.countReference(address, -1);
      return;
    }
    ObjectHeader header = tree.header(address);
    if (header.find(LayoutMessage.class).isPresent()) {
      collectContent(header);
      elements.remove(header);
      headers.freeExternalNames(header);
    } else if (header.find(DatatypeMessage.class).isEmpty()) {
      tree.links(address).forEach(this::release);
    }
    header.sharedReference(DatatypeMessage.class).ifPresent(this::releaseType);
    for (AttributeMessage attribute : tree.attributes(address)) {
      attribute.sharedType().ifPresent(this::releaseType);
      lost.attribute(attribute);
    }
    headers.remove(header);
  }

  /** Collects the variable-length content that the elements of a dataset own. */
  private void collectContent(ObjectHeader header) {
    if (OwnedContent.isPartOf(header.require(DatatypeMessage.class).datatype())) {
      lost.dataset(DatasetOpener.openNames(file, ObjectPath.of("to be deleted"), header.address()));
    }
  }

  private void releaseType(SharedReference reference) {
    if (reference instanceof SharedReference.Committed(long type)) {
      released.addLast(type);
    }
  }
}
