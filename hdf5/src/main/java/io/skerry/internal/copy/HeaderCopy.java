package io.skerry.internal.copy;

import io.skerry.StorageChange;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.layout.VirtualLayoutMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.internal.copy.element.CopiedDataset;
import io.skerry.internal.copy.header.CopiedHeaders;
import io.skerry.internal.copy.header.CopyTarget;
import io.skerry.internal.copy.header.HeaderContent;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.open.DatasetOpener;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.file.ObjectKinds;
import io.skerry.internal.file.ObjectLocation;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Copies the header of a dataset, committed datatype or group. Local. */
final class HeaderCopy {
  private final CopyTarget target;
  private final CopiedHeaders headers;
  private final StorageChanges changes;
  private final List<CopiedDataset> datasets = new ArrayList<>();
  private final ReferringFills fills = new ReferringFills();

  HeaderCopy(CopyTarget target, CopiedHeaders headers, StorageChanges changes) {
    this.target = target;
    this.headers = headers;
    this.changes = changes;
  }

  /** Returns the datasets whose headers have been copied so far. */
  List<CopiedDataset> datasets() {
    return datasets;
  }

  /** Returns the fill values with references to objects, for the headers copied so far. */
  ReferringFills fills() {
    return fills;
  }

  /** Returns whether a header is neither that of a dataset nor that of a committed datatype. */
  static boolean isGroup(ObjectHeader header) {
    return !header.has(LayoutMessage.class) && !header.has(DatatypeMessage.class);
  }

  /** Creates the header of the copy and adds it to the target. */
  ObjectHeader copy(FoundObject object, ObjectHeader old, HeaderContent content) {
    ObjectHeader made = made(object, old, content);
    target.file().tree().addNew(made);
    return made;
  }

  private ObjectHeader made(FoundObject object, ObjectHeader old, HeaderContent content) {
    if (old.has(LayoutMessage.class)) {
      return dataset(object.location(), object.path(), old, content);
    }
    if (old.has(DatatypeMessage.class)) {
      return headers.datatype(object.location().file(), old, content);
    }
    // If the object is not a group, this call throws an exception that states the reason.
    StoredObject unused =
        ObjectKinds.at(object.location().file(), object.path(), object.location().address());
    return headers.group(old, content);
  }

  private ObjectHeader dataset(
      ObjectLocation from, ObjectPath path, ObjectHeader old, HeaderContent content) {
    NativeFile file = from.file();
    NativeDataset named = DatasetOpener.openNames(file, path, from.address());
    List<StorageChange> choices = changes.choices(from, named);
    StorageChange change = choices.getFirst();
    Set<Long> referred = new TreeSet<>();
    ElementTransfer fill =
        target.transfer(
            file.contents(),
            address -> {
              referred.add(address);
              return 0;
            });
    ObjectHeader made;
    try {
      made = headers.dataset(from, old, named.shape(), change, fill, content);
    } catch (IllegalArgumentException | UnsupportedFeatureException e) {
      if (choices.size() == 1) {
        throw e;
      }
      change = choices.getLast();
      made = headers.dataset(from, old, named.shape(), change, fill, content);
    }
    if (old.require(LayoutMessage.class) instanceof VirtualLayoutMessage
        && !(made.require(LayoutMessage.class) instanceof VirtualLayoutMessage)) {
      // Unlike a copy of the mappings, a copy of the elements must fail if the policy refuses a
      // source file, so the dataset is opened with its sources.
      NativeDataset unused = DatasetOpener.open(file, path, from.address());
    }
    if (!referred.isEmpty()) {
      fills.add(from, made.address(), referred);
    }
    datasets.add(new CopiedDataset(from, path.shown(), named, made.address(), change));
    return made;
  }
}
