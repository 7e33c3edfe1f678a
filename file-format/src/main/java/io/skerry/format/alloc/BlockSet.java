package io.skerry.format.alloc;

import io.skerry.format.block.Block;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * An immutable sorted set of blocks. Adding or removing a block creates a set that shares all but a
 * logarithmic number of nodes with the original, so keeping an earlier state takes little memory.
 *
 * <p>The set is a weight-balanced tree. The weight of a subtree is one more than the number of its
 * nodes, and neither subtree of a node has more than three times the weight of the other.
 *
 * <p>Source: S. Adams, "Efficient sets: a balancing act", Journal of Functional Programming 3(4),
 * 1993; the parameters are those of Y. Hirai and K. Yamamoto, "Balancing weight-balanced trees",
 * 21(3), 2011.
 */
final class BlockSet {
  /** The maximum weight ratio of two sibling subtrees. */
  private static final int DELTA = 3;

  /** The minimum weight ratio of the inner to the outer subtree for a double rotation. */
  private static final int RATIO = 2;

  private final Comparator<Block> order;
  private final Node root;

  private BlockSet(Comparator<Block> order, Node root) {
    this.order = order;
    this.root = root;
  }

  /** Returns an empty set with the given order, which must be consistent with equals. */
  static BlockSet none(Comparator<Block> order) {
    return new BlockSet(order, Node.NONE);
  }

  /** Returns this set with a block added. */
  BlockSet with(Block block) {
    return new BlockSet(order, with(root, block));
  }

  /** Returns this set without a block. */
  BlockSet without(Block block) {
    return new BlockSet(order, without(root, block));
  }

  /** Returns the total length of the blocks in bytes. */
  long bytes() {
    return root.bytes;
  }

  /**
   * Returns the first block that meets a condition.
   *
   * @param condition a condition that, if true for a block, is true for all later blocks
   */
  Optional<Block> first(Predicate<Block> condition) {
    Optional<Block> found = Optional.empty();
    Node node = root;
    while (node.size > 0) {
      if (condition.test(node.block)) {
        found = Optional.of(node.block);
        node = node.left;
      } else {
        node = node.right;
      }
    }
    return found;
  }

  /**
   * Returns the last block that meets a condition.
   *
   * @param condition a condition that, if true for a block, is true for all earlier blocks
   */
  Optional<Block> last(Predicate<Block> condition) {
    Optional<Block> found = Optional.empty();
    Node node = root;
    while (node.size > 0) {
      if (condition.test(node.block)) {
        found = Optional.of(node.block);
        node = node.right;
      } else {
        node = node.left;
      }
    }
    return found;
  }

  /** Returns the blocks in order. */
  List<Block> list() {
    List<Block> list = new ArrayList<>(root.size);
    addTo(list, root);
    return list;
  }

  private static void addTo(List<Block> list, Node node) {
    if (node.size > 0) {
      addTo(list, node.left);
      list.add(node.block);
      addTo(list, node.right);
    }
  }

  /** Returns whether the weights of all sibling subtrees are within the limit. */
  boolean isBalanced() {
    return root.isBalanced();
  }

  private Node with(Node node, Block block) {
    if (node.size == 0) {
      return new Node(block, Node.NONE, Node.NONE);
    }
    int compared = order.compare(block, node.block);
    if (compared < 0) {
      return balanced(node.block, with(node.left, block), node.right);
    }
    return compared > 0 ? balanced(node.block, node.left, with(node.right, block)) : node;
  }

  private Node without(Node node, Block block) {
    if (node.size == 0) {
      return node;
    }
    int compared = order.compare(block, node.block);
    if (compared < 0) {
      return balanced(node.block, without(node.left, block), node.right);
    }
    if (compared > 0) {
      return balanced(node.block, node.left, without(node.right, block));
    }
    return joined(node.left, node.right);
  }

  /** Joins two subtrees whose weight ratio is within the limit for siblings. */
  private static Node joined(Node left, Node right) {
    if (left.size == 0) {
      return right;
    }
    if (right.size == 0) {
      return left;
    }
    return left.size > right.size
        ? balanced(left.last(), left.withoutLast(), right)
        : balanced(right.first(), left, right.withoutFirst());
  }

  /**
   * Returns a balanced tree of a block and two balanced subtrees. One insertion or removal may have
   * made the weight ratio of the subtrees exceed the limit.
   */
  private static Node balanced(Block block, Node left, Node right) {
    if (right.weight() > DELTA * left.weight()) {
      return withRightRaised(block, left, right);
    }
    if (left.weight() > DELTA * right.weight()) {
      return withLeftRaised(block, left, right);
    }
    return new Node(block, left, right);
  }

  private static Node withRightRaised(Block block, Node left, Node right) {
    Node inner = right.left;
    if (inner.weight() < RATIO * right.right.weight()) {
      return new Node(right.block, new Node(block, left, inner), right.right);
    }
    return new Node(
        inner.block,
        new Node(block, left, inner.left),
        new Node(right.block, inner.right, right.right));
  }

  private static Node withLeftRaised(Block block, Node left, Node right) {
    Node inner = left.right;
    if (inner.weight() < RATIO * left.left.weight()) {
      return new Node(left.block, left.left, new Node(block, inner, right));
    }
    return new Node(
        inner.block,
        new Node(left.block, left.left, inner.left),
        new Node(block, inner.right, right));
  }

  /** A subtree: a block, and the subtrees of the blocks before and after it. */
  private static final class Node {
    /** The node without blocks; its block has no meaning. */
    static final Node NONE = new Node();

    final Block block;
    final int size;
    final long bytes;
    final Node left;
    final Node right;

    private Node() {
      block = new Block(0, 1);
      size = 0;
      bytes = 0;
      left = this;
      right = this;
    }

    Node(Block block, Node left, Node right) {
      this.block = block;
      this.left = left;
      this.right = right;
      size = left.size + 1 + right.size;
      bytes = left.bytes + block.length() + right.bytes;
    }

    long weight() {
      return size + 1L;
    }

    boolean isBalanced() {
      return size == 0
          || left.weight() <= DELTA * right.weight()
              && right.weight() <= DELTA * left.weight()
              && left.isBalanced()
              && right.isBalanced();
    }

    Block first() {
      return left.size == 0 ? block : left.first();
    }

    Block last() {
      return right.size == 0 ? block : right.last();
    }

    Node withoutFirst() {
      return left.size == 0 ? right : balanced(block, left.withoutFirst(), right);
    }

    Node withoutLast() {
      return right.size == 0 ? left : balanced(block, left, right.withoutLast());
    }
  }
}
