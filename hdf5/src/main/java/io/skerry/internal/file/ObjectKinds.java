package io.skerry.internal.file;

import io.skerry.NoSuchObjectException;
import io.skerry.exception.FormatException;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.group.GroupInfoMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.SymbolTableMessage;
import io.skerry.internal.dataset.open.DatasetOpener;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredObject;

/** Opens an object as a group, dataset or named datatype, according to its header messages. */
public final class ObjectKinds {
  private ObjectKinds() {}

  public static StoredObject at(NativeFile file, String path, long address) {
    return at(file, ObjectPath.of(path), address);
  }

  public static StoredObject at(NativeFile file, ObjectPath path, long address) {
    ObjectHeader header = file.tree().header(address);
    if (header.has(LayoutMessage.class)) {
      return DatasetOpener.open(file, path, address);
    }
    if (isGroup(header)) {
      return new NativeGroup(file, path, address);
    }
    if (header.has(DatatypeMessage.class)) {
      return new NativeDatatype(
          file, path, address, header.find(DatatypeMessage.class).orElseThrow().datatype());
    }
    throw new FormatException(
            "object header of no known kind", "a group, dataset or datatype", "none of them")
        .inFile(file.path().toString())
        .inObject(path.shown())
        .atAddress(address);
  }

  private static boolean isGroup(ObjectHeader header) {
    return header.has(LinkInfoMessage.class)
        || header.has(GroupInfoMessage.class)
        || header.has(LinkMessage.class)
        || header.has(SymbolTableMessage.class);
  }

  /**
   * Checks that an object is a group.
   *
   * @param path the path of the object, which is used only if the check fails
   * @throws NoSuchObjectException if the object is not a group
   */
  static void requireGroup(NativeFile file, CharSequence path, long address) {
    if (!isGroup(file.tree().header(address))) {
      throw Resolver.missing(file, "not a group", path.toString());
    }
  }
}
