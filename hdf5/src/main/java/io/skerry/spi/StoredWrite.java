package io.skerry.spi;

import io.skerry.DatasetWrite;
import io.skerry.selection.Selection;

/**
 * One rank's part of a write to one dataset.
 *
 * @param dataset the dataset
 * @param selection its elements
 * @param content one value per element
 */
public record StoredWrite(
    StoredDataset dataset, Selection selection, DatasetWrite.Content content) {
  /** Writes it. Collective. */
  public void apply() {
    switch (content) {
      case DatasetWrite.Elements(var memory, var values) ->
          dataset.write(selection, memory, values);
      case DatasetWrite.Values(var values) -> dataset.writeValues(selection, values);
    }
  }
}
