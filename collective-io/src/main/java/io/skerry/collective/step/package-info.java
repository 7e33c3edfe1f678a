/**
 * Runs steps that all ranks perform in the same way. Contains the agreement of the ranks on the
 * outcome, the undo log, the broadcast of metadata, and the gate that orders operations within a
 * rank. Start at {@link CollectiveOutcome}, with which every collective operation of this module
 * begins and ends.
 */
package io.skerry.collective.step;
