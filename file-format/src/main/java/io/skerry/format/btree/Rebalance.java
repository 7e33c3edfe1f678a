package io.skerry.format.btree;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Keeps the number of records in each child of a node within the limits after records have been
 * inserted into or deleted from a child.
 */
final class Rebalance {
  private final BTree2Limits limits;
  private final BiFunction<EditedNode, Integer, EditedNode> child;
  private final Consumer<EditedNode> drop;

  /**
   * Creates a rebalancer for one tree.
   *
   * @param limits the limits of its nodes
   * @param child the function that returns the child at the given index of a node, and loads the
   *     child into memory if necessary
   * @param drop the function that receives each node that is no longer part of the tree
   */
  Rebalance(
      BTree2Limits limits,
      BiFunction<EditedNode, Integer, EditedNode> child,
      Consumer<EditedNode> drop) {
    this.limits = limits;
    this.child = child;
    this.drop = drop;
  }

  void afterInsert(EditedNode parent, int index) {
    EditedNode grown = child.apply(parent, index);
    int most = limits.most(grown.level());
    if (grown.count() <= most) {
      return;
    }
    if (index > 0
        && parent.children().get(index - 1).current().records() + grown.count() <= 2 * most) {
      share(parent, index - 1);
    } else if (index < parent.count()
        && parent.children().get(index + 1).current().records() + grown.count() <= 2 * most) {
      share(parent, index);
    } else {
      split(parent, index);
    }
  }

  void afterDelete(EditedNode parent, int index) {
    EditedNode shrunk = child.apply(parent, index);
    if (shrunk.count() >= limits.fewest(shrunk.level())) {
      return;
    }
    int left = index > 0 ? index - 1 : index;
    int records = child.apply(parent, left).count() + child.apply(parent, left + 1).count();
    if (records + 1 <= limits.most(shrunk.level())) {
      merge(parent, left);
    } else {
      share(parent, left);
    }
  }

  /** Splits a child in two; its middle record moves to the parent. */
  void split(EditedNode parent, int index) {
    EditedNode left = child.apply(parent, index);
    int middle = left.count() / 2;
    List<MemorySegment> records = left.records();
    List<MemorySegment> rightRecords = new ArrayList<>(records.subList(middle + 1, records.size()));
    List<EditedNode.Slot> rightChildren = new ArrayList<>();
    if (left.level() > 0) {
      List<EditedNode.Slot> moved = left.children().subList(middle + 1, left.children().size());
      rightChildren.addAll(moved);
      moved.clear();
    }
    parent.records().add(index, records.get(middle));
    records.subList(middle, records.size()).clear();
    EditedNode right = EditedNode.fresh(left.level(), rightRecords, rightChildren);
    parent.children().add(index + 1, EditedNode.Slot.of(right));
    left.change();
    parent.change();
  }

  /** Distributes the records of two adjacent children evenly. */
  private void share(EditedNode parent, int left) {
    EditedNode a = child.apply(parent, left);
    EditedNode b = child.apply(parent, left + 1);
    List<MemorySegment> records = new ArrayList<>(a.records());
    records.add(parent.records().get(left));
    records.addAll(b.records());
    List<EditedNode.Slot> children = new ArrayList<>(a.children());
    children.addAll(b.children());
    int middle = records.size() / 2;
    parent.records().set(left, records.get(middle));
    boolean inner = a.level() > 0;
    refill(a, records.subList(0, middle), inner ? children.subList(0, middle + 1) : List.of());
    refill(
        b,
        records.subList(middle + 1, records.size()),
        inner ? children.subList(middle + 1, children.size()) : List.of());
    parent.change();
  }

  /** Merges two adjacent children and the record between them into one node. */
  private void merge(EditedNode parent, int left) {
    EditedNode a = child.apply(parent, left);
    EditedNode b = child.apply(parent, left + 1);
    a.records().add(parent.records().remove(left));
    a.records().addAll(b.records());
    a.children().addAll(b.children());
    parent.children().remove(left + 1);
    a.change();
    parent.change();
    drop.accept(b);
  }

  private static void refill(
      EditedNode node, List<MemorySegment> records, List<EditedNode.Slot> children) {
    List<MemorySegment> keptRecords = List.copyOf(records);
    List<EditedNode.Slot> keptChildren = List.copyOf(children);
    node.records().clear();
    node.records().addAll(keptRecords);
    node.children().clear();
    node.children().addAll(keptChildren);
    node.change();
  }
}
