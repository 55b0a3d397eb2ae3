DROP TABLE rehearsal_answers;
DROP TABLE rehearsals;
