package io.skerry.spi;

import io.skerry.DatasetWrite;
import io.skerry.selection.Selection;

/**
 * The values that one rank writes to one dataset in a collective write. Immutable; values in memory
 * are not copied.
 *
 * @param dataset the dataset
 * @param selection the elements to write, within the extent
 * @param content one value for each selected element, in selection order
 */
public record StoredWrite(
    StoredDataset dataset, Selection selection, DatasetWrite.Content content) {
  /**
   * Writes the values. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if the write fails on any rank, as
   *     in {@link StoredDataset#write} or {@link StoredDataset#writeValues}
   * @throws io.skerry.parallel.CommitException on all ranks if the commit of a flush fails
   * @throws io.skerry.exception.UnsupportedFeatureException if the elements are in external files
   * @throws IllegalStateException if the file is closed or open for reading only
   */
  public void apply() {
    switch (content) {
      case DatasetWrite.Elements(var memory, var values) ->
          dataset.write(selection, memory, values);
      case DatasetWrite.Values(var values) -> dataset.writeValues(selection, values);
    }
  }
}
