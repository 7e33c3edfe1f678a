package io.skerry;

import io.skerry.connector.ObjectPath;
import io.skerry.connector.StoredObject;
import io.skerry.exception.FormatException;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.group.GroupInfoMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.SymbolTableMessage;

/** Tells from its messages what kind of object a header describes. */
final class ObjectKinds {
  private ObjectKinds() {}

  static StoredObject at(NativeFile file, String path, long address) {
    return at(file, ObjectPath.of(path), address);
  }

  static StoredObject at(NativeFile file, ObjectPath path, long address) {
    ObjectHeader header = file.tree().header(address);
    if (header.has(LayoutMessage.class)) {
      return DatasetOpener.open(file, path, address);
    }
    if (header.has(LinkInfoMessage.class)
        || header.has(GroupInfoMessage.class)
        || header.has(LinkMessage.class)
        || header.has(SymbolTableMessage.class)) {
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
}
