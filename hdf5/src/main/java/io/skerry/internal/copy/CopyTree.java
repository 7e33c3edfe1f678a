package io.skerry.internal.copy;

import io.skerry.CopyOption;
import io.skerry.NoSuchObjectException;
import io.skerry.StorageChange;
import io.skerry.datatype.Datatype;
import io.skerry.format.Bytes;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.layout.VirtualLayout;
import io.skerry.format.message.SharedReference;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.open.DatasetOpener;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.file.ObjectKinds;
import io.skerry.internal.file.ObjectLocation;
import io.skerry.internal.file.Resolver;
import io.skerry.internal.tree.AttributeEditor;
import io.skerry.internal.tree.GroupLinks;
import io.skerry.internal.tree.ObjectTree;
import io.skerry.internal.tree.OrderedAttributes;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.LongUnaryOperator;

/**
 * The objects of one copy and the addresses of their copies. Each object occurs once, even if many
 * links lead to it. Headers are made when objects are found; links and attributes are added when
 * all objects are known. Every rank builds the same tree; local.
 */
final class CopyTree {
  /** The depth of objects that are not members of a copied group, such as committed datatypes. */
  private static final int ENDLESS = Integer.MAX_VALUE;

  private static final ObjectPath A_DATATYPE = ObjectPath.of("(a datatype)");

  private final CopyTarget target;
  private final Set<CopyOption> options;
  private final BiFunction<ObjectLocation, NativeDataset, StorageChange> storage;
  private final CopiedHeaders headers;
  private final Map<ObjectLocation, Long> addresses = new LinkedHashMap<>();
  private final Map<Long, Long> uses = new HashMap<>();
  private final Deque<Member> pending = new ArrayDeque<>();
  private final List<NewLink> links = new ArrayList<>();
  private final List<CopiedDataset> datasets = new ArrayList<>();

  /**
   * An object to be copied.
   *
   * @param path the path at which the copy found it
   * @param depth the number of groups above it
   */
  private record Member(ObjectLocation from, ObjectPath path, int depth) {}

  /** A link of a group of the copy. */
  private record NewLink(long group, LinkMessage link) {}

  CopyTree(
      CopyTarget target,
      Set<CopyOption> options,
      BiFunction<ObjectLocation, NativeDataset, StorageChange> storage) {
    this.target = target;
    this.options = options;
    this.storage = storage;
    this.headers =
        new CopiedHeaders(target, type -> used(copy(new Member(type, A_DATATYPE, ENDLESS))));
  }

  /** Returns the datasets that were found so far. */
  List<CopiedDataset> datasets() {
    return datasets;
  }

  /**
   * Returns all objects that were found so far, with the addresses of the headers of their copies.
   */
  Map<ObjectLocation, Long> addresses() {
    return addresses;
  }

  /**
   * Copies the headers of an object and of all objects below it.
   *
   * @return the address of the copy
   */
  long add(ObjectLocation from, String path) {
    long address = copy(new Member(from, ObjectPath.of(path), 0));
    finishPending();
    return address;
  }

  /** Copies the members of a group into an existing group. */
  void addInto(ObjectLocation from, long group) {
    ObjectTree tree = target.file().tree();
    ObjectHeader old = from.file().tree().header(from.address());
    ObjectHeader root = tree.header(group);
    note(from, group);
    uses.put(group, root.references());
    tree.add(headers.root(old, root));
    pending.add(new Member(from, ObjectPath.ROOT, 0));
    finishPending();
  }

  private void finishPending() {
    while (!pending.isEmpty()) {
      Member next = pending.removeFirst();
      ObjectHeader old = next.from.file().tree().header(next.from.address());
      for (AttributeMessage attribute : attributes(next.from)) {
        attribute.sharedType().ifPresent(type -> committed(next.from, type));
      }
      if (!old.has(LayoutMessage.class) && !old.has(DatatypeMessage.class)) {
        long group = copyOf(next.from).orElseThrow();
        for (LinkMessage link : links(next)) {
          links.add(new NewLink(group, member(next, link)));
        }
      }
    }
  }

  /** Returns the copy of an object, which is made if the object is found for the first time. */
  private long copy(Member member) {
    Long known = addresses.get(member.from);
    if (known != null) {
      return known;
    }
    NativeFile file = member.from.file();
    ObjectHeader old = file.tree().header(member.from.address());
    CopiedHeaders.Content content =
        new CopiedHeaders.Content(
            old.has(LayoutMessage.class) || old.has(DatatypeMessage.class)
                ? List.of()
                : links(member),
            attributes(member.from));
    ObjectHeader made;
    if (old.has(LayoutMessage.class)) {
      NativeDataset named = DatasetOpener.openNames(file, member.path, member.from.address());
      StorageChange change = storage.apply(member.from, named);
      made = headers.dataset(member.from, old, change, transfer(file, _ -> 0), content);
      // Copying the elements of a virtual dataset requires its source datasets to be open; copying
      // only the names of its source files does not.
      boolean resolved =
          old.require(LayoutMessage.class) instanceof VirtualLayout
              && !(made.require(LayoutMessage.class) instanceof VirtualLayout);
      NativeDataset dataset =
          resolved ? DatasetOpener.open(file, member.path, member.from.address()) : named;
      datasets.add(
          new CopiedDataset(member.from, member.path.shown(), dataset, made.address(), change));
    } else if (old.has(DatatypeMessage.class)) {
      made = headers.datatype(member.from, old, content);
    } else {
      // If the object is not a group either, this call throws with the reason.
      StoredObject unused = ObjectKinds.at(file, member.path, member.from.address());
      made = headers.group(old, content);
    }
    target.file().tree().addNew(made);
    note(member.from, made.address());
    pending.add(member);
    return made.address();
  }

  private long used(long address) {
    uses.merge(address, 1L, Long::sum);
    return address;
  }

  /** Returns the links of a group in stored order, which determines the paths of objects. */
  private List<LinkMessage> links(Member group) {
    return group.depth > 0 && options.contains(CopyOption.SHALLOW)
        ? List.of()
        : group.from.file().tree().links(group.from.address());
  }

  private LinkMessage member(Member group, LinkMessage link) {
    Optional<ObjectLocation> object = followed(group, link);
    if (object.isEmpty()) {
      return link;
    }
    ObjectPath path = group.path.child(link.name());
    long copy = used(copy(new Member(object.get(), path, group.depth + 1)));
    return new LinkMessage(
        link.name(), link.creationOrder(), link.characters(), new LinkTarget.Hard(copy));
  }

  /** Returns the object that replaces a link; empty if the link is copied. */
  private Optional<ObjectLocation> followed(Member group, LinkMessage link) {
    boolean follows =
        switch (link.target()) {
          case LinkTarget.Hard _ -> true;
          case LinkTarget.Soft _ -> options.contains(CopyOption.EXPAND_SOFT);
          case LinkTarget.External _ -> options.contains(CopyOption.EXPAND_EXTERNAL);
          case LinkTarget.UserDefined _ -> false;
        };
    if (!follows) {
      return Optional.empty();
    }
    if (link.target() instanceof LinkTarget.Hard(long address)) {
      return Optional.of(new ObjectLocation(group.from.file(), address));
    }
    try {
      return Optional.of(new Resolver(group.from.file()).locate(group.from.address(), link.name()));
    } catch (NoSuchObjectException e) {
      return Optional.empty();
    }
  }

  /** Returns the attributes of the copy. */
  List<AttributeMessage> attributes(ObjectLocation from) {
    return options.contains(CopyOption.WITHOUT_ATTRIBUTES)
        ? List.of()
        : OrderedAttributes.inOrder(from.file().tree(), from.address());
  }

  /** Copies the committed datatype of an attribute. */
  private void committed(ObjectLocation from, SharedReference reference) {
    if (reference instanceof SharedReference.Committed(long address)) {
      long unused = copy(new Member(new ObjectLocation(from.file(), address), A_DATATYPE, ENDLESS));
    }
  }

  private ElementTransfer transfer(NativeFile from, LongUnaryOperator objects) {
    return new ElementTransfer(from.contents(), target.widths(), target.heap()::add, objects);
  }

  /** Returns the address of the copy of an object; empty if the object was not copied. */
  Optional<Long> copyOf(ObjectLocation object) {
    return Optional.ofNullable(addresses.get(object));
  }

  /** Adds all attributes, after all objects that they may refer to are known. */
  void addAttributes(ReferenceRule rule) {
    addresses.forEach((from, address) -> {
      AttributeEditor editor = new AttributeEditor(target.file().tree(), address);
      ElementTransfer transfer = transfer(from.file(), rule.objects(from.file()));
      for (AttributeMessage attribute : attributes(from)) {
        editor.put(copied(from, attribute, transfer));
      }
    });
  }

  private AttributeMessage copied(
      ObjectLocation from, AttributeMessage attribute, ElementTransfer transfer) {
    Datatype type = attribute.datatype().datatype();
    Bytes data =
        ElementTransfer.holdsAddresses(type)
            ? Bytes.of(
                transfer.transfer(
                    type, attribute.data().segment(), attribute.dataspace().elements()))
            : attribute.data();
    return new AttributeMessage(
        attribute.name(),
        attribute.characters(),
        headers.type(from, attribute.datatype()),
        attribute.dataspace(),
        data,
        attribute.sharedType().flatMap(reference -> headers.committed(from, reference)),
        Optional.empty());
  }

  /**
   * Adds all links. Links are added before attributes, so that the object header stores them in
   * their order even if attributes leave no space: the first name of an object determines its path.
   */
  void addLinks() {
    for (NewLink link : links) {
      new GroupLinks(target.file().tree(), link.group).add(link.link);
    }
  }

  /** Stores the number of links in the header of each object. */
  void count() {
    ObjectTree tree = target.file().tree();
    uses.forEach((address, count) -> tree.add(tree.header(address).withReferences(count)));
  }

  /** Counts one more link, made outside the tree. */
  void linked(long address) {
    long unused = used(address);
  }

  /** Returns the copies without a link: those of objects to which only references lead. */
  List<Long> unlinked() {
    return addresses.values().stream().filter(copy -> !uses.containsKey(copy)).toList();
  }

  /** Records the address of a copy; a failed step removes the record. */
  private void note(ObjectLocation from, long address) {
    target.file().collective().log().put(addresses, from, address);
  }

  /** Deletes all copies, after the copy has failed and before any link leads to them. */
  void forget() {
    ObjectTree tree = target.file().tree();
    for (long address : addresses.values()) {
      tree.datasets().find(address).ifPresent(target.file().collective().chunks()::drop);
      if (address != tree.rootAddress()) {
        tree.delete(address, target.file().collective().space());
      }
    }
  }
}
