/**
 * Steps that all ranks take in the same way: agreement on their outcome, the undo log, the
 * broadcast of metadata, and the gate that orders operations within a rank. Start at {@link
 * CollectiveOutcome}. Every collective operation of this module begins and ends here.
 */
package io.skerry.collective.step;
