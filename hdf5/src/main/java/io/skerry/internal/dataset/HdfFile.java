package io.skerry.internal.dataset;

import io.skerry.NoSuchObjectException;
import io.skerry.collective.CollectiveFile;
import io.skerry.collective.step.FileGate;
import io.skerry.internal.tree.ObjectTree;
import io.skerry.internal.value.StoredContents;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredAttributes;
import io.skerry.spi.StoredFile;

/** An open HDF5 file, as its datasets use it. */
public interface HdfFile extends StoredFile {
  /** The metadata: object headers, links, attributes. */
  ObjectTree tree();

  /** The collective operations on chunks and blocks. */
  CollectiveFile collective();

  /** Defines which operations may run at the same time. */
  FileGate gate();

  /** The locks of datasets that are not chunked. */
  FlatLocks flatLocks();

  @Override
  StoredContents contents();

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
