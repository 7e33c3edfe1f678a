package io.skerry.collective;

import io.skerry.collective.dataset.MetadataSource;
import io.skerry.collective.step.UndoLog;
import io.skerry.format.block.ByteSource;
import java.io.IOException;

/**
 * Reads the metadata of a file that is being opened, or creates that of a new file.
 *
 * @param <M> the type in which the HDF5 layer keeps the metadata
 */
@FunctionalInterface
public interface MetadataLoader<M extends MetadataSource> {
  /**
   * Loads the metadata. Called on all ranks within the same step, in which rank 0 broadcasts the
   * bytes that it reads; the result is equal on all ranks. Local.
   *
   * @param source the bytes of the file, from its first byte
   * @param log the log that undoes the changes of later steps that fail
   */
  LoadedMetadata<M> load(ByteSource source, UndoLog log) throws IOException;
}
