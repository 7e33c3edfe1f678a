package io.skerry;

import io.skerry.collective.CollectiveFile;
import io.skerry.collective.FileGate;
import io.skerry.connector.ObjectPath;
import io.skerry.connector.StoredAttributes;
import io.skerry.connector.StoredFile;

/** An open HDF5 file, as its datasets use it. */
interface HdfFile extends StoredFile {
  /** The metadata: object headers, links, attributes. */
  ObjectTree tree();

  /** The collective operations on chunks and blocks. */
  CollectiveFile collective();

  /** Defines which operations may run at the same time. */
  FileGate gate();

  /** The locks of datasets that are not chunked. */
  FlatLocks flatLocks();

  /** The sources of virtual datasets. */
  VirtualSources sources();

  /** The attributes of the object at an address. */
  StoredAttributes attributes(ObjectPath path, long address);

  /**
   * The dataset at a path. Collective.
   *
   * @throws NoSuchObjectException if there is none
   */
  NativeDataset dataset(String path);
}
