package io.skerry.internal.dataset;

import io.skerry.NoSuchObjectException;
import io.skerry.collective.CollectiveFile;
import io.skerry.collective.step.FileGate;
import io.skerry.internal.tree.ObjectTree;
import io.skerry.internal.value.StoredContents;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.Operation;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredAttributes;
import io.skerry.spi.StoredFile;

/** The interface through which datasets use their open HDF5 file. */
public interface HdfFile extends StoredFile {
  /** Returns the metadata: object headers, links and attributes. */
  ObjectTree tree();

  /** Returns the collective operations on chunks and blocks. */
  CollectiveFile collective();

  /** Returns the gate, which defines the operations that may run concurrently. */
  FileGate gate();

  /** Returns the locks of datasets that are not chunked. */
  FlatLocks flatLocks();

  @Override
  StoredContents contents();

  /** Returns the sources of virtual datasets. */
  SourceDatasets sources();

  /** Returns the attributes of the object whose header is at an address. */
  StoredAttributes attributes(ObjectPath path, long address);

  /**
   * Opens the dataset at a path. Collective.
   *
   * @throws NoSuchObjectException if there is no dataset at the path
   */
  NativeDataset dataset(String path);

  /**
   * Opens the dataset at a path, in a file that a single rank has open. Local.
   *
   * @throws NoSuchObjectException if there is no dataset at the path
   */
  NativeDataset datasetHere(String path);

  @Override
  default RuntimeException refused(Operation operation, String object, RuntimeException failure) {
    // A copy from a file that is open for writing begins with a flush.
    boolean flushes = operation == Operation.COPY && collective().access() != FileAccess.READ;
    try {
      return collective()
          .steps()
          .together(
              flushes ? Operation.FLUSH : operation,
              flushes ? "" : object,
              "",
              () -> {
                throw failure;
              },
              _ -> failure);
    } catch (RuntimeException e) {
      return e;
    }
  }
}
