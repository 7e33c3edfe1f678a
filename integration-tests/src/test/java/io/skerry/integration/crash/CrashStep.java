package io.skerry.integration.crash;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.VariableLength;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.util.List;

/** One collective step of a crash test program. */
sealed interface CrashStep {
  /** Applies the step to the model. */
  void apply(CrashModel model);

  /** Performs the step on the file. Collective. */
  void perform(H5File file, Communicator ranks);

  /** Creates a dataset. */
  record MakeDataset(String path, int rows) implements CrashStep {
    @Override
    public void apply(CrashModel model) {
      model.addDataset(path, rows);
    }

    @Override
    public void perform(H5File file, Communicator ranks) {
      Dataset unused = file.createDataset(path, StorageKind.of(path).spec(rows));
    }
  }

  /** A rectangle of rows and columns. */
  record Box(int row, int rows, int column, int columns) {
    Selection selection() {
      return Selection.at(row, column).extent(rows, columns);
    }
  }

  /** Writes a box, either split among the ranks by rows or written by one rank. */
  record WriteBox(String path, Box box, int salt, boolean shared) implements CrashStep {
    private int value(int row, int column) {
      return 1 + Math.floorMod(salt * 31 + row * 7919 + column * 104729, 90_000);
    }

    @Override
    public void apply(CrashModel model) {
      for (int r = box.row(); r < box.row() + box.rows(); r++) {
        for (int c = box.column(); c < box.column() + box.columns(); c++) {
          model.datasets().get(path).set(r, c, value(r, c));
        }
      }
    }

    @Override
    public void perform(H5File file, Communicator ranks) {
      int first = shared ? box.rows() * ranks.rank() / ranks.size() : 0;
      int last = shared ? box.rows() * (ranks.rank() + 1) / ranks.size() : box.rows();
      boolean mine = last > first && (shared || Math.floorMod(salt, ranks.size()) == ranks.rank());
      int rows = mine ? last - first : 0;
      int[] values = new int[rows * box.columns()];
      for (int i = 0; i < values.length; i++) {
        values[i] = value(box.row() + first + i / box.columns(), box.column() + i % box.columns());
      }
      Selection where =
          mine
              ? new Box(box.row() + first, rows, box.column(), box.columns()).selection()
              : Selection.none();
      StorageKind.of(path).write(file.dataset(path), where, values);
    }
  }

  /** Erases a box of a sparse dataset. */
  record EraseBox(String path, Box box) implements CrashStep {
    @Override
    public void apply(CrashModel model) {
      for (int r = box.row(); r < box.row() + box.rows(); r++) {
        for (int c = box.column(); c < box.column() + box.columns(); c++) {
          model.datasets().get(path).erase(r, c);
        }
      }
    }

    @Override
    public void perform(H5File file, Communicator ranks) {
      file.dataset(path).erase(ranks.rank() == 0 ? box.selection() : Selection.none());
    }
  }

  /** Changes the number of rows of a dataset. */
  record Reshape(String path, int rows) implements CrashStep {
    @Override
    public void apply(CrashModel model) {
      model.datasets().get(path).reshape(rows);
    }

    @Override
    public void perform(H5File file, Communicator ranks) {
      file.dataset(path).extendTo(rows, StorageKind.COLUMNS);
    }
  }

  /** Reads a dataset collectively, which may store pending changes. */
  record ReadAll(String path) implements CrashStep {
    @Override
    public void apply(CrashModel model) {}

    @Override
    public void perform(H5File file, Communicator ranks) {
      int[] unused = StorageKind.of(path).read(file.dataset(path));
    }
  }

  /** Sets an attribute to a number or to a variable-length string. */
  record SetAttribute(String object, String name, String value) implements CrashStep {
    @Override
    public void apply(CrashModel model) {
      model.attributes(object).put(name, value);
    }

    @Override
    public void perform(H5File file, Communicator ranks) {
      if (value.startsWith("t")) {
        List<Value> text = List.of(new Value.Text(value));
        file.object(object)
            .setAttribute(name, VariableLength.string(CharacterSet.UTF8), Shape.scalar(), text);
      } else {
        file.object(object).setAttribute(Attribute.of(name, Long.parseLong(value)));
      }
    }
  }

  /** Deletes an attribute. */
  record DeleteAttribute(String object, String name) implements CrashStep {
    @Override
    public void apply(CrashModel model) {
      model.attributes(object).remove(name);
    }

    @Override
    public void perform(H5File file, Communicator ranks) {
      file.object(object).deleteAttribute(name);
    }
  }

  /** Renames an attribute. */
  record RenameAttribute(String object, String from, String to) implements CrashStep {
    @Override
    public void apply(CrashModel model) {
      model.attributes(object).put(to, model.attributes(object).remove(from));
    }

    @Override
    public void perform(H5File file, Communicator ranks) {
      file.object(object).renameAttribute(from, to);
    }
  }

  /** Creates a group. */
  record MakeGroup(String path) implements CrashStep {
    @Override
    public void apply(CrashModel model) {
      model.addGroup(path);
    }

    @Override
    public void perform(H5File file, Communicator ranks) {
      Group unused = file.createGroup(path);
    }
  }

  /** Creates a soft link. */
  record MakeLink(String path, String target) implements CrashStep {
    @Override
    public void apply(CrashModel model) {
      model.links().put(path, target);
    }

    @Override
    public void perform(H5File file, Communicator ranks) {
      file.createSoftLink(path, target);
    }
  }

  /** Removes a link, and the object if it was its last link. */
  record Remove(String path) implements CrashStep {
    @Override
    public void apply(CrashModel model) {
      model.remove(path);
    }

    @Override
    public void perform(H5File file, Communicator ranks) {
      file.unlink(path);
    }
  }

  /** Moves a dataset or a link to another path. */
  record Move(String from, String to) implements CrashStep {
    @Override
    public void apply(CrashModel model) {
      model.move(from, to);
    }

    @Override
    public void perform(H5File file, Communicator ranks) {
      file.move(from, to);
    }
  }

  /** Flushes the file. */
  record Flush() implements CrashStep {
    @Override
    public void apply(CrashModel model) {}

    @Override
    public void perform(H5File file, Communicator ranks) {
      file.flush();
    }
  }
}
