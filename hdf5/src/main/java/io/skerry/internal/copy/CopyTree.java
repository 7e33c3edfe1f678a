package io.skerry.internal.copy;

import io.skerry.CopyOption;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.SharedReference;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.internal.copy.element.CopiedDataset;
import io.skerry.internal.copy.header.CopiedHeaders;
import io.skerry.internal.copy.header.CopiedTypes;
import io.skerry.internal.copy.header.CopyTarget;
import io.skerry.internal.copy.header.HeaderContent;
import io.skerry.internal.file.ObjectLocation;
import io.skerry.internal.tree.ObjectTree;
import io.skerry.spi.ObjectPath;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Copies the headers of an object and of all objects below it. Each object is copied once, even if
 * many links lead to it. A header is created when its object is found; links and attributes are
 * added when all objects are known. Every rank builds the same tree. Local.
 */
final class CopyTree {
  private final CopyTarget target;
  private final CopiedHeaders headers;
  private final HeaderCopy copies;
  private final CopiedObjects objects;
  private final CopiedLinks links;
  private final CopiedAttributes attributes;
  private final Deque<FoundObject> pending = new ArrayDeque<>();

  CopyTree(CopyTarget target, Set<CopyOption> options, StorageChanges changes) {
    CopiedTypes types =
        new CopiedTypes(target, type -> linkedCopy(FoundObject.committedType(type)));
    this.target = target;
    this.headers = new CopiedHeaders(target, types);
    this.copies = new HeaderCopy(target, headers, changes);
    this.objects = new CopiedObjects(target);
    this.links = new CopiedLinks(options);
    this.attributes = new CopiedAttributes(target, options, types);
  }

  /** Returns the datasets found so far. */
  List<CopiedDataset> datasets() {
    return copies.datasets();
  }

  /** Returns the fill values with references to objects, for the datasets found so far. */
  ReferringFills fills() {
    return copies.fills();
  }

  /** Stores fill values with the new addresses of the objects to which they refer. */
  void storeFills(ReferenceRule rule) {
    copies.fills().store(headers, rule);
  }

  /** Returns the objects found so far. */
  CopiedObjects objects() {
    return objects;
  }

  /** Returns the component that determines the attributes of the copies and adds them. */
  CopiedAttributes attributes() {
    return attributes;
  }

  /**
   * Copies the headers of an object and of all objects below it.
   *
   * @param path the path of the object, for error messages
   * @return the address of the copy
   */
  long add(ObjectLocation from, String path) {
    long address = copy(FoundObject.top(from, ObjectPath.of(path)));
    finishPending();
    return address;
  }

  /**
   * Copies the header of a root group into an existing root group, and copies the headers of all
   * objects below it.
   *
   * @param group the address of the existing group
   * @throws IllegalArgumentException if the existing group has an attribute with the same name as
   *     one to be copied
   */
  void addInto(ObjectLocation from, long group) {
    attributes.checkFree(from, group);
    ObjectTree tree = target.file().tree();
    ObjectHeader old = header(from);
    ObjectHeader root = tree.header(group);
    objects.add(from, group, root.references());
    tree.add(headers.root(old, root));
    pending.add(FoundObject.top(from, ObjectPath.ROOT));
    finishPending();
  }

  private static ObjectHeader header(ObjectLocation object) {
    return object.file().tree().header(object.address());
  }

  private void finishPending() {
    while (!pending.isEmpty()) {
      FoundObject next = pending.removeFirst();
      ObjectHeader old = header(next.location());
      for (AttributeMessage attribute : attributes.of(next.location())) {
        attribute.sharedType().ifPresent(type -> copyType(next.location(), type));
      }
      if (HeaderCopy.isGroup(old)) {
        long group = objects.copyOf(next.location()).orElseThrow();
        links.copy(next, group, this::linkedCopy);
      }
    }
  }

  /** Copies the committed datatype of an attribute. */
  private void copyType(ObjectLocation from, SharedReference reference) {
    if (reference instanceof SharedReference.Committed(long address)) {
      long unused = copy(FoundObject.committedType(new ObjectLocation(from.file(), address)));
    }
  }

  /**
   * Copies an object if it is found for the first time, counts one more link or shared message that
   * refers to the copy, and returns the address of the copy.
   */
  private long linkedCopy(FoundObject object) {
    return objects.linked(copy(object));
  }

  /**
   * Returns the address of the copy of an object; copies the object if it is found for the first
   * time.
   */
  private long copy(FoundObject object) {
    Optional<Long> known = objects.copyOf(object.location());
    if (known.isPresent()) {
      return known.get();
    }
    ObjectHeader old = header(object.location());
    HeaderContent content =
        new HeaderContent(
            HeaderCopy.isGroup(old) ? links.of(object) : List.of(),
            attributes.of(object.location()));
    ObjectHeader made = copies.copy(object, old, content);
    objects.add(object.location(), made.address());
    pending.add(object);
    return made.address();
  }

  /**
   * Adds links and attributes to the copies. Called when all objects to which they may refer are
   * known.
   */
  void finish(ReferenceRule rule) {
    links.addTo(target.file());
    attributes.addAll(objects, rule);
  }
}
